/** Errors that a form can place: every field that a caller may not write, and a value that is taken. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Reply, useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const pathsOf = ({ body }: Reply): string[] => body.issues.map(({ path }: { path: string }) => path);

it('columns that a caller may not write are named all at once, with their paths', async () => {
  const copied = aQuote(account, { unit_price: 1, total_price: 2, internal_notes: 'x', expires_at: null });
  const reply = await customer.send('POST', '/quotes', copied);
  const columns = ['unit_price', 'total_price', 'internal_notes', 'expires_at'];
  expect([reply.status, reply.body.code, pathsOf(reply)]).toEqual([403, '42501', columns]);
  expect(reply.body.message).toContain(columns.join(', '));
});

it('in an array of rows the paths begin with the index of the row', async () => {
  const rows = [1, 2].map(unit_price => aQuote(account, { id: randomUUID(), unit_price }));
  expect(pathsOf(await customer.send('POST', '/quotes', rows))).toEqual(['0.unit_price', '1.unit_price']);
  await staff.send('POST', '/quotes', rows);
  const dearer = rows.map(row => ({ ...row, unit_price: 3 }));
  expect(pathsOf(await customer.send('PATCH', '/quotes', dearer))).toEqual(['0.unit_price', '1.unit_price']);
});

it('a code that is taken has its path, also in a change, and with its row in an array where that is known', async () => {
  const [taken, other] = [aGraphic(), aGraphic()];
  await staff.send('POST', '/graphics', [taken, other]);
  const issue = { path: 'code', expected: 'a value that no other row has', received: taken.code };
  const message = `code must be a value that no other row has; it is ${taken.code}.`;
  const inserted = await staff.send('POST', '/graphics', taken);
  expect(inserted).toMatchObject({ status: 409, body: { code: '23505', issues: [{ ...issue, message }] } });
  const changed = await staff.send('PATCH', `/graphics?code=eq.${other.code}`, { code: taken.code });
  expect(changed.body.issues).toEqual([{ ...issue, message }]);
  expect(pathsOf(await staff.send('POST', '/graphics', [taken]))).toEqual(['0.code']);
  const free = aGraphic();
  expect(pathsOf(await staff.send('POST', '/graphics', [aGraphic(), free, free]))).toEqual(['2.code']);
  expect(pathsOf(await staff.send('POST', '/graphics', [aGraphic(), taken]))).toEqual(['code']);
});
