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
  expect(reply).toMatchObject({
    status: 403,
    body: {
      code: '42501',
      message:
        'permission denied for columns unit_price, total_price, internal_notes, expires_at of table quotes',
      details: 'This caller cannot set them.',
    },
  });
  expect(pathsOf(reply)).toEqual(['unit_price', 'total_price', 'internal_notes', 'expires_at']);
  expect(reply.body.issues[0].message).toBe('This caller cannot set unit_price.');
});

it('in an array of rows the paths begin with the index of the row', async () => {
  const rows = [
    aQuote(account, { id: randomUUID(), unit_price: 1 }),
    aQuote(account, { id: randomUUID(), unit_price: 2 }),
  ];
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
  expect([inserted.status, inserted.body.code, inserted.body.issues]).toEqual([
    409,
    '23505',
    [{ ...issue, message }],
  ]);
  const changed = await staff.send('PATCH', `/graphics?code=eq.${other.code}`, { code: taken.code });
  expect(changed.body.issues).toEqual([{ ...issue, message }]);
  expect(pathsOf(await staff.send('POST', '/graphics', [taken]))).toEqual(['0.code']);
  const free = aGraphic();
  expect(pathsOf(await staff.send('POST', '/graphics', [aGraphic(), free, free]))).toEqual(['2.code']);
  expect(pathsOf(await staff.send('POST', '/graphics', [aGraphic(), taken]))).toEqual(['code']);
});
