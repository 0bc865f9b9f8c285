import { describe, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { preferenceApplied } from '../../functions/response/preference-applied.ts';
import { graphics } from '../../schema/graphics.ts';
import { planOf, type TestRequest } from '../plan/plan-of.ts';

const staff: Caller = { kind: 'staff', audience: 'staff' };
const id = 'a0000000-0000-4000-8000-000000000001';
const row = { name: 'A', code: 'A', file_url: 'https://x', file_format: 'png' };
const all =
  'resolution=merge-duplicates, missing=default, return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC, max-affected=5';

function applied(request: Partial<TestRequest>): string | undefined {
  const plan = planOf({ as: staff, of: graphics, headers: { prefer: all }, ...request });
  return plan.ok ? preferenceApplied(plan.value) : plan.failure.is;
}

describe('Preference-Applied', () => {
  it.each<[Partial<TestRequest>, string]>([
    [{}, 'count=exact, tx=commit, handling=strict, timezone=UTC'],
    [
      { method: 'POST', body: row },
      'resolution=merge-duplicates, missing=default, return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC',
    ],
    [
      { method: 'PUT', query: `id=eq.${id}`, body: { ...row, id } },
      'return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC',
    ],
    [
      { method: 'PATCH', query: 'code=eq.A', body: { name: 'B' } },
      'missing=default, return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC, max-affected=5',
    ],
    [
      { method: 'DELETE', query: 'code=eq.A' },
      'return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC, max-affected=5',
    ],
  ])('names those that the method takes: %j', (request, preferences) => {
    expect(applied(request)).toBe(preferences);
  });

  it('has max-affected with handling=strict alone', () => {
    const prefer = 'max-affected=5';
    expect(applied({ method: 'DELETE', query: 'code=eq.A', headers: { prefer } })).toBe('');
    const strict = { prefer: 'handling=strict' };
    expect(applied({ method: 'DELETE', query: 'code=eq.A', headers: strict })).toBe('handling=strict');
  });

  it('is empty without preferences', () => {
    expect(applied({ headers: {} })).toBe('');
  });
});
