/** Rows of chosen columns have the text that Postgres gives them as records, to the byte. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../functions/common/limits.ts';
import { aGraphic, aNotification, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { useCallers } from '../../setup/wire.ts';

const odd = 'a "b", (c)\\ %s\n\u2028 é🦤';
const id = randomUUID();
const service = useService();
const { staff } = useCallers(service);
beforeAll(async () => {
  const quote = aQuote(id, {
    id,
    unit_price: 1.5,
    event_date: '2026-02-28',
    company: '',
    customer_notes: odd,
    rush_order: true,
    customization: { [odd]: [odd, 1.5, null, { a: null }] },
  });
  const written = [
    await staff.send('POST', '/quotes', quote),
    await staff.send('POST', '/graphics', aGraphic({ id, name: odd, tags: [odd, ''], width: 5 })),
    await staff.send('POST', '/graphics', aGraphic({ name: ' ', is_active: false, description: '' })),
    await staff.send('POST', '/notifications', aNotification(id, { body: odd })),
  ];
  expect(written.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
});

const text = async (path: string, accept = 'application/json') => (await staff.get(path, { accept })).text;

describe('JSON of a list', () => {
  it.each([
    ['a row', `/quotes?id=eq.${id}`, 'application/json'],
    ['a page whose bytes are counted', `/quotes?account_id=eq.${id}`, 'application/json'],
    ['a page of short columns', `/notifications?account_id=eq.${id}`, 'application/json'],
    ['JSON without nulls', `/graphics?id=eq.${id}`, 'application/vnd.pgrst.array+json;nulls=stripped'],
  ])('is that of `*`, and what is chosen besides: %s', async (_, path, accept) => {
    const whole = await text(path, accept);
    const [, key] = /"id":([^,]+)/.exec(whole) ?? [];
    const more = await text(`${path}&select=*,again:id`, accept);
    expect(more).toBe(whole.replace(/\}(\]?)$/, `,"again":${key}}$1`));
  });

  it('has every name as it was asked for, also twice, up to the most columns', async () => {
    const odd = ['100%', '%s', '%1$s', 'a"b', 'a\\b', 'é', 'same', 'same'];
    const others = Array.from({ length: limits.query.outputs - odd.length }, (_, index) => `c${index}`);
    const names = [...odd, ...others];
    const select = names.map(name => `"${name.replace(/["\\]/g, '\\$&')}":width`).join();
    const row = await text(`/graphics?id=eq.${id}&select=${encodeURIComponent(select)}`);
    expect(row).toBe(`[{${names.map(name => `${JSON.stringify(name)}:5`)}}]`);
  });
});

it('a text in a list of a filter may have quotes, commas and backslashes', async () => {
  const name = encodeURIComponent(`"${odd.replace(/["\\]/g, '\\$&')}"`);
  expect(await text(`/graphics?select=id&name=in.(x,${name})`)).toBe(`[{"id":"${id}"}]`);
});

it('the header of CSV has quotes around names that need them', async () => {
  const select = encodeURIComponent('"a\\"b":width,"c,d":width,e:width');
  expect(await text(`/graphics?id=eq.${id}&select=${select}`, 'text/csv')).toBe('"a""b","c,d",e\n5,5,5');
});

it('a line of CSV has the whole count of booleans', async () => {
  const rows = Array.from({ length: 12 }, () => aGraphic({ description: 'counted' }));
  expect((await staff.send('POST', '/graphics', rows)).status).toBe(201);
  const select =
    'column:is_active.count(),cast:is_active::bool.count(),more:width::boolean.count(),is_active';
  expect(await text(`/graphics?description=eq.counted&select=${select}`, 'text/csv')).toBe(
    'column,cast,more,is_active\n12,12,0,t',
  );
});
