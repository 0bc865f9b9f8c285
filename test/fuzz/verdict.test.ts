/** The judge accepts good responses and rejects bad ones. */
import { expect, it } from 'vitest';
import { judge } from './verdict.ts';
import type { FuzzCaller } from './world.ts';

const customer: FuzzCaller = {
  name: 'ann',
  kind: 'customer',
  headers: {},
  owns: [],
  secrets: ['Wq7b1Kx', 'b1b1b1b1-'],
};
const nobody: FuzzCaller = { name: 'no key', kind: 'nobody', headers: {}, owns: [], secrets: [] };
const request = { method: 'GET', path: '/rest/v1/quotes?select=id', headers: {} };
const json = { 'content-type': 'application/json; charset=utf-8' };
const error = { code: '42501', message: 'permission denied', details: null, hint: null };

const judged = (
  status: number,
  body: unknown,
  more: object = {},
  caller = customer,
  headers: object = json,
) =>
  judge(
    { ...request, ...more },
    {
      status,
      headers: { ...headers } as Record<string, string>,
      text: typeof body === 'string' ? body : JSON.stringify(body),
      milliseconds: 1,
    },
    caller,
  );

it('accepts rows, complete errors and a deadlock', () => {
  expect(judged(200, [{ id: 'a1a1a1a1-0000' }])).toBeUndefined();
  expect(judged(403, error)).toBeUndefined();
  expect(judged(404, '', { method: 'HEAD' })).toBeUndefined();
  expect(judged(204, '', {}, customer, {})).toBeUndefined();
  expect(judged(503, { ...error, code: '40P01' })).toBeUndefined();
  expect(judged(400, { ...error, code: '42601', message: 'syntax error in tsquery' })).toBeUndefined();
});

it.each([
  ['a 500', 500, { ...error, code: 'XX000' }, /is a 500/],
  ['a 503 of another kind', 503, { ...error, code: 'PGRST001' }, /is a 503/],
  ['an empty error', 400, '', /without an error body/],
  ['an error of another shape', 400, { error: 'no' }, /without an error body/],
  ['an error without a message', 400, { ...error, message: '' }, /without an error body/],
  ['an error with another field', 400, { ...error, stack: 'at …' }, /without an error body/],
  ['half of its JSON', 200, '[{"id":', /is not JSON/],
  ["another's row", 200, [{ sport: 'Wq7b1Kx' }], /reveals Wq7b1Kx/],
  ["another's id, in an error", 409, { ...error, details: 'Key (id)=(b1b1b1b1-0000)' }, /reveals b1b1/],
  ['a broken statement', 400, { ...error, code: '42601' }, /broken statement/],
  ['a statement', 400, { ...error, details: "select set_config('role'" }, /shows SQL/],
])('rejects %s', (_, status, body, wrong) => {
  expect(judged(status, body)).toMatch(wrong);
});

it("rejects another's row in a header", () => {
  expect(judged(200, [], {}, customer, { ...json, link: '</?id=gt.b1b1b1b1-0000>' })).toMatch(/reveals/);
});

it('accepts text from the request itself', () => {
  const path = '/rest/v1/quotes?id=eq.b1b1b1b1-0000';
  expect(judged(400, { ...error, details: 'b1b1b1b1-0000' }, { path })).toBeUndefined();
  expect(judged(200, [{ sport: 'Wq7b1Kx' }], { path })).toMatch(/reveals/);
});

it('rejects anything but an error for bad credentials', () => {
  expect(judged(200, [], {}, nobody)).toMatch(/accepts bad credentials/);
  expect(judged(200, {}, { path: '/health' }, nobody)).toBeUndefined();
});
