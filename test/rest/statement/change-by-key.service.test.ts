/** PATCH with an array whose rows have their primary keys. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

async function makeQuotes(count: number, owner = account): Promise<string[]> {
  const quote = (_: unknown, index: number) => aQuote(owner, { roster_count: index, company: 'Lions' });
  const rows = Array.from({ length: count }, quote);
  const { body } = await staff.send('POST', '/quotes?select=id', rows, representation);
  return body.map(({ id }: { id: string }) => id);
}

describe('an array of rows with their keys', () => {
  it('sets different values in each row, and returns the rows in the order of the array', async () => {
    const [first, second, third] = await makeQuotes(3);
    const rows = [
      { id: third, sport: 'golf', roster_count: 30 },
      { id: first, sport: 'hockey', roster_count: 10 },
      { id: second, sport: 'soccer', roster_count: 20 },
    ];
    const path = '/quotes?select=id,sport,roster_count';
    const { status, body, headers } = await customer.send('PATCH', path, rows, representation);
    expect([status, body, headers.get('content-range')]).toEqual([200, rows, '0-2/*']);
  });

  it('keeps columns that a row leaves out, and sets those that are null', async () => {
    const [first, second] = await makeQuotes(2);
    const [changed, emptied] = [
      { id: first, roster_count: 7 },
      { id: second, company: null },
    ] as const;
    const path = '/quotes?select=company,roster_count';
    const { body } = await customer.send('PATCH', path, [changed, emptied], representation);
    expect(body[0]).toEqual({ company: 'Lions', roster_count: 7 });
    expect(body[1]).toEqual({ company: null, roster_count: 1 });
  });

  it('changes nothing when a row belongs to another account, is gone, or is refused', async () => {
    const [own] = await makeQuotes(1);
    const [foreign] = await makeQuotes(1, randomUUID());
    for (const other of [foreign, randomUUID()]) {
      const rows = [own, other].map(id => ({ id, sport: 'golf' }));
      const { status, body } = await customer.send('PATCH', '/quotes', rows);
      expect([status, body.code, body.details]).toEqual([404, 'PT404', 'Rows found: 1.']);
    }
    const refused = await customer.send('PATCH', '/quotes', [{ id: own, status: 'ordered' }]);
    expect([refused.status, refused.body.code]).toEqual([409, 'PT409']);
    const { body } = await staff.get(`/quotes?select=sport,status&id=eq.${own}`);
    expect(body).toEqual([{ sport: 'baseball', status: 'draft' }]);
  });

  it('must not name a row twice', async () => {
    const [id] = await makeQuotes(1);
    const twice = [id, id?.toUpperCase()].map(each => ({ id: each, sport: 'a' }));
    const repeated = await customer.send('PATCH', '/quotes', twice);
    expect([repeated.status, repeated.body.details]).toEqual([400, expect.stringContaining('Element 1')]);
  });

  it('also applies the filters of the URL', async () => {
    const [first, second] = await makeQuotes(2);
    const rows = [first, second].map(id => ({ id, sport: 'golf' }));
    expect((await customer.send('PATCH', '/quotes?roster_count=eq.0', rows)).status).toBe(404);
    expect((await customer.send('PATCH', '/quotes?roster_count=lt.2', rows)).status).toBe(204);
  });
});

it('an array without keys is one change for all rows that match, as in PostgREST', async () => {
  const [id] = await makeQuotes(1);
  expect((await customer.send('PATCH', `/quotes?id=eq.${id}`, [{ sport: 'golf' }])).status).toBe(204);
  expect((await customer.send('PATCH', '/quotes', [{ sport: 'golf' }])).body.code).toBe('21000');
});
