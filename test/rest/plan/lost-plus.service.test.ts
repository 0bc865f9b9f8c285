/** A time of a response put into an address as it is: its `+` is decoded to a blank, and read as `+` again. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);
const time = '2030-11-27T12:46:20.04+00:00';
let id: string;

beforeAll(async () => {
  const quote = aQuote(account, { expires_at: time, event_date: '2030-11-27' });
  id = (await staff.send('POST', '/quotes?select=id', quote, representation)).body[0].id;
});

const find = async (query: string) =>
  (await customer.get(`/quotes?select=id&account_id=eq.${account}&${query}`)).body;

it.each([
  `expires_at=eq.${time}`,
  `expires_at=eq.${time.replace('T', ' ').replace(' ', '%20')}`,
  'expires_at=eq.2030-11-27T18:16:20.04+05:30',
  `expires_at=not.isdistinct.${time}`,
  `expires_at=gte.${time}&expires_at=lte.${time}`,
  `expires_at=in.(now,"${time}")`,
  `expires_at=eq(any).{${time}}`,
  `expires_at=gte(all).{"${time}",2030-11-27T12:46+00:00}`,
  `and=(expires_at.gte."${time}",not.or(expires_at.gt.${time},expires_at.in.(2031-01-01T00:00+00:00)))`,
  'event_date=eq.2030-11-27T00:00+00:00',
])('finds the row: %s', async query => {
  expect(await find(query)).toEqual([{ id }]);
});

it('names the version of a row in the filter of a change', async () => {
  const [{ updated_at }] = (await customer.get(`/quotes?id=eq.${id}`)).body;
  const path = `/quotes?id=eq.${id}&updated_at=eq.${updated_at}`;
  const changed = await customer.send('PATCH', path, { sport: 'golf' }, representation);
  expect([changed.status, changed.body.length]).toEqual([200, 1]);
});

it('a date and a time of day stay what they are', async () => {
  const midnight = await customer.send('POST', '/quotes', aQuote(account), representation);
  const path = `/quotes?id=eq.${midnight.body[0].id}`;
  await staff.send('PATCH', path, { expires_at: '2031-11-27T00:00:00Z' });
  expect(await find('expires_at=eq.2031-11-27 00:00')).toEqual([{ id: midnight.body[0].id }]);
});
