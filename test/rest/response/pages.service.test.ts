/** Pages: their size, the link to the next one, and that no row is missed or repeated. */
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Reply, useCallers } from '../../setup/wire.ts';

const many = 57;
const service = useService({ bindings: { MAX_ROWS: '25' } });
const { staff } = useCallers(service);
beforeAll(async () => {
  const rows = Array.from({ length: many }, (_, n) => {
    const name = `Say "it\\" ${n % 7}`;
    return aGraphic({ code: `G-${n}`, name, sort_order: n % 5, width: n % 3 || null });
  });
  const columns = 'columns=name,code,file_url,file_format,sort_order,width';
  expect((await staff.send('POST', `/graphics?${columns}`, rows)).status).toBe(201);
});

const nextOf = ({ headers }: Reply): string | undefined =>
  /^<\/rest\/v1([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

async function follow(path: string): Promise<{ codes: string[]; paths: string[] }> {
  const codes: string[] = [];
  const paths: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    paths.push(next);
    expect(paths.length).toBeLessThan(100);
    const reply = await staff.get(next);
    expect(reply.status, reply.text).toBe(200);
    codes.push(...reply.body.map(({ code }: { code: string }) => code));
    next = nextOf(reply);
  }
  return { codes, paths };
}

describe('following rel="next"', () => {
  it.each([
    ['by columns that are not null and the key', 'order=sort_order.desc,name,id&limit=9', /and=/],
    ['with a filter', 'order=sort_order,id&limit=4&name=like.*5', /and=/],
    ['with a tree', 'order=sort_order,id&limit=4&and=(sort_order.gt.0,id.not.is.null)', /and=.*and=/],
    ['through an order with ties', 'order=sort_order&limit=10', /and=/],
    ['by two times and the key, backwards', 'order=created_at.desc,updated_at,id.desc&limit=10', /and=/],
    ['through an order with nulls', 'order=width,id&limit=10', /offset=/],
    ['without an order', 'limit=10', /offset=/],
    ['after the cap of rows', 'order=id', /id=gt\./],
  ])('%s sees every row once', async (_, query, how) => {
    const whole = `/graphics?select=code&${query.replace(/&?limit=\d+/, '')}`;
    const { headers } = await staff.get(whole, { prefer: 'count=exact' });
    const { codes, paths } = await follow(`/graphics?select=code&${query}`);
    const count = Number(headers.get('content-range')?.split('/')[1]);
    expect([codes.length, new Set(codes).size]).toEqual([count, count]);
    expect(paths[1]).toMatch(how);
    const lengths = paths.slice(1).map(path => path.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(100);
  });

  it('applies the first page’s offset once, even when semicolons separate the parameters', async () => {
    for (const query of ['order=id&limit=10&offset=3', 'order=id;limit=10;offset=3']) {
      const { codes } = await follow(`/graphics?select=code&${query}`);
      expect(new Set(codes).size).toBe(many - 3);
    }
  });

  it('by keyset is not shifted by rows inserted before', async () => {
    const first = await staff.get('/graphics?select=code&order=code,id&limit=10');
    await staff.send('POST', '/graphics', aGraphic({ code: 'A-FIRST' }));
    const second = await staff.get(nextOf(first) ?? '');
    await staff.send('DELETE', '/graphics?code=eq.A-FIRST');
    const codes = [...first.body, ...second.body].map(({ code }: { code: string }) => code);
    expect(codes).not.toContain('A-FIRST');
    expect(new Set(codes).size).toBe(20);
  });

  it('by the time of the last change misses no row that is touched between two pages', async () => {
    const [{ sort_order, code }] = (await staff.get('/graphics?order=updated_at,id&limit=1')).body;
    const first = await staff.get('/graphics?select=code&order=updated_at&limit=10');
    await staff.send('PATCH', `/graphics?code=eq.${code}`, { sort_order });
    const second = await staff.get(nextOf(first) ?? '');
    const expected = await staff.get('/graphics?select=code&order=updated_at&limit=10&offset=9');
    expect(second.body).toEqual(expected.body);
  });

  it('ends with the last row, even if the last page is full', async () => {
    const cut = await staff.get('/graphics?select=code&sort_order=eq.1&limit=11');
    expect(cut.body.length).toBe(11);
    expect(nextOf(cut)).toBeDefined();
    const whole = await staff.get('/graphics?select=code&sort_order=eq.1&limit=12');
    expect(whole.body.length).toBe(12);
    expect(whole.headers.has('link')).toBe(false);
  });
});

it('a page has at most MAX_ROWS rows, whatever limit says, and a count of all', async () => {
  await service.sql`analyze builder.graphics`;
  for (const count of ['exact', 'estimated', 'planned']) {
    const path = '/graphics?select=id&limit=1000';
    const { status, body, headers } = await staff.get(path, { prefer: `count=${count}` });
    expect([status, body.length, headers.get('content-range')]).toEqual([206, 25, `0-24/${many}`]);
  }
});
