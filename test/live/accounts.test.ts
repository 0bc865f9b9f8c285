import '../setup/with-resolvers.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { ok } from '../../functions/common/failure/result.ts';
import { Accounts, accountsFor, type LiveCaller } from '../../functions/live/accounts.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const callerOf = (audience: 'customer' | 'staff'): Caller => ({
  kind: audience,
  audience,
  claims: { role: 'authenticated', sub: 'user', app_metadata: {} },
});

/** What the database says, which changes while the caller listens. */
let memberships = ['first'];
let asked = 0;
/** The callers that were found to see more accounts than before. */
let gained: LiveCaller[] = [];
const start = (audience: 'customer' | 'staff'): [Accounts, LiveCaller] => {
  asked = 0;
  gained = [];
  memberships = ['first'];
  const ask = async () => {
    asked += 1;
    const row = { accounts: JSON.stringify([memberships]) };
    await Promise.resolve();
    return ok([row]);
  };
  const known = new Accounts(ask, caller => gained.push(caller));
  return [known, known.callerFor(callerOf(audience))];
};

it('a membership that is gained or ends while its customer listens counts after five minutes', async () => {
  const [known, customer] = start('customer');
  await known.know(customer);
  expect(customer.accounts).toEqual(new Set(['first']));
  memberships = ['second'];
  vi.advanceTimersByTime(accountsFor - 1);
  known.refresh(new Set([customer]));
  await vi.advanceTimersByTimeAsync(0);
  expect([asked, customer.accounts]).toEqual([1, new Set(['first'])]);
  vi.advanceTimersByTime(1);
  known.refresh(new Set([customer]));
  await vi.advanceTimersByTimeAsync(0);
  expect([asked, customer.accounts, gained]).toEqual([2, new Set(['second']), [customer]]);
});
