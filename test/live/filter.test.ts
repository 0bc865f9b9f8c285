import { describe, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { meetsKeys, planFilter } from '../../functions/live/filter.ts';
import { notifications } from '../../schema/notifications.ts';
import { quotes } from '../../schema/quotes.ts';

const account = 'c0000000-0000-4000-8000-000000000001';
const other = 'c0000000-0000-4000-8000-000000000002';
const customer: Caller = { kind: 'customer', audience: 'customer' };

const plan = (text: string, collection: typeof quotes | typeof notifications = quotes) => {
  const planned = planFilter(text, collection, customer);
  if (!planned.ok) {
    throw new Error(planned.failure.is);
  }
  return planned.value;
};
const conditionsOf = (text: string): string[] => plan(text).conditions.map(condition => condition.text);

describe('a filter', () => {
  it.each<[text: string, conditions: string[]]>([
    ['status=eq.draft', ['status=eq.draft']],
    ['status=eq.draft,sport=eq.golf', ['status=eq.draft', 'sport=eq.golf']],
    ['status=in.(draft,quoted),sport=eq.golf', ['status=in.(draft,quoted)', 'sport=eq.golf']],
    ['company=eq."a,sport=eq.b"', ['company=eq."a,sport=eq.b"']],
    ['company=eq."a\\",sport=eq.b"', ['company=eq."a\\",sport=eq.b"']],
    ['company=eq.Lions, Inc.', ['company=eq.Lions, Inc.']],
    [`account_id=eq.${account},sport=eq.golf`, ['sport=eq.golf']],
    [`account_id=gt.${account}`, [`account_id=gt.${account}`]],
    ['id=eq.{C0000000-0000-4000-8000-000000000001}', ['id=eq.{C0000000-0000-4000-8000-000000000001}']],
  ])('%s has the conditions %j', (text, conditions) => {
    expect(conditionsOf(text)).toEqual(conditions);
  });

  it.each<[text: string, meets: boolean]>([
    [`account_id=eq.${account}`, true],
    [`account_id=eq.${account.toUpperCase()}`, true],
    [`account_id=eq.${other}`, false],
    [`account_id=neq.${other}`, true],
    [`account_id=not.eq.${account}`, false],
    [`account_id=not.neq.${account}`, true],
    [`account_id=in.(${other},${account})`, true],
    [`account_id=not.in.(${other},${account})`, false],
    ['account_id=in.()', false],
    [`account_id=eq.${account},id=eq.8`, false],
    ['id=eq.7', true],
    ['id=in.(6,7)', true],
    ['id=eq.07', true],
  ])('%s is met by the row 7 of the account: %s', (text, meets) => {
    expect(meetsKeys(plan(text, notifications), account, '7')).toBe(meets);
  });

  it.each<[text: string, failure: string]>([
    ['', 'invalid value'],
    ['status', 'invalid value'],
    ['status=draft', 'unparsable'],
    ['colour=eq.red', 'unknown column'],
    ['internal_notes=eq.x', 'forbidden column'],
    ['constructor=eq.x', 'unknown column'],
    ['status=eq.a\0b', 'nul character'],
  ])('%j is refused: %s', (text, failure) => {
    expect(() => plan(text)).toThrow(failure);
  });
});
