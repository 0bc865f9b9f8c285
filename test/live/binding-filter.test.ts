import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { meetsKeys, planFilter } from '../../functions/live/binding-filter.ts';
import { collections } from '../../schema/collections.ts';
import { notifications } from '../../schema/notifications.ts';
import { quotes } from '../../schema/quotes.ts';

const account = 'c0000000-0000-4000-8000-000000000001';
const customer: Caller = { kind: 'customer', audience: 'customer' };

const plan = (text: string, collection: typeof quotes | typeof notifications = quotes) => {
  const planned = planFilter(text, collection, customer);
  if (!planned.ok) {
    throw new Error(planned.failure.is);
  }
  return planned.value;
};
const conditionsOf = (text: string): string[] => [...plan(text).conditions.keys()];

describe('a filter', () => {
  it.each<[text: string, conditions: string[]]>([
    ['status=eq.draft,sport=eq.golf', ['status=eq.draft', 'sport=eq.golf']],
    ['company=eq."a,sport=eq.b"', ['company=eq."a,sport=eq.b"']],
    ['created_at=gte.2026-05-20T10:00:00.5+02:00', ['created_at=gte.2026-05-20T10:00:00.5+02:00']],
    ['company=eq."a\\",sport=eq.b"', ['company=eq."a\\",sport=eq.b"']],
    ['company=eq.Lions, Inc.,sport=eq.golf', ['company=eq.Lions, Inc.', 'sport=eq.golf']],
    ['company=in.(a,b=c)', ['company=in.(a,b=c)']],
    [`account_id=eq.${account},sport=eq.golf`, ['sport=eq.golf']],
    ['account_id=neq.{7000000000004000800000000000000A}', []],
  ])('%s has the conditions %j', (text, conditions) => {
    expect(conditionsOf(text)).toEqual(conditions);
  });

  it.each([
    ['created_at=gte.2026-05-20T10:00:00.5 02:00', { value: '2026-05-20T10:00:00.5+02:00' }],
    ['created_at=in.(2026-05-20T10:00 00:00)', { values: ['2026-05-20T10:00+00:00'] }],
  ])('%s has + where the address had it', (text, operation) => {
    expect(plan(text).conditions.get(text)).toMatchObject({ operation });
  });

  it.each<[text: string, meets: boolean]>([
    ['id=eq.07', true],
    ['id=in.(6,7)', true],
    ['account_id=in.()', false],
    [`account_id=eq.${account},id=eq.8`, false],
    [`account_id=eq.{${account.replaceAll('-', '').toUpperCase()}}`, true],
  ])('%s is met by the row 7 of the account: %s', (text, meets) => {
    expect(meetsKeys(plan(text, notifications), account, '7')).toBe(meets);
  });

  it.each<[text: string, failure: string]>([
    ['status=draft', 'unparsable'],
    ['colour=eq.red', 'unknown column'],
    ['company=eq.\ud800', 'invalid value'],
    ['id=eq.x', 'invalid value'],
    ['roster_count=eq.99999999999', 'invalid value'],
    ['event_date=eq.2026-02-30', 'invalid value'],
    ['status=eq.draft&sport=eq.x', 'invalid value'],
    ['quote_number=in.(QT-2026-1)', 'invalid value'],
    ['status=is.null', 'invalid value'],
    ['customization=eq.{}', 'invalid value'],
  ])('%j is refused: %s', (text, failure) => {
    expect(() => plan(text)).toThrow(failure);
  });

  it.each(['like', 'eq(any)'])('with the operator %s is refused by its name', operator => {
    const planned = planFilter(`company=${operator}.{a}`, quotes, customer);
    expect(planned).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining(`has the operator ${operator}. Available: eq, gte,`) },
    });
  });
});

it.each(collections.filter(({ live }) => live))('the documents name the live collection $name', async ({
  name,
}) => {
  const read = (file: string) => readFile(new URL(`../../functions/${file}`, import.meta.url), 'utf8');
  expect(await read('live/README.md')).toContain(`\`${name}\``);
  expect(/^- `channel\(\)`: .*$/m.exec(await read('RECIPES.md'))?.[0]).toContain(`\`${name}\``);
});
