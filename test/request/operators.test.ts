import { describe, expect, it } from 'vitest';
import { operators, suggestOperator, textSearchOperators } from '../../functions/request/operators.ts';
import { parseRequest } from './parse.ts';

/** The hint for a query string whose error is about a filter. */
function hintFor(query: string): string | undefined {
  const request = parseRequest({ method: 'GET', query, body: '', header: () => null });
  return !request.ok && request.failure.is === 'unparsable' ? request.failure.error.hint : undefined;
}

describe('a filter without an operator', () => {
  it.each([
    ['status=draft', 'status=eq.draft'],
    ['type=info', 'type=eq.info'],
    ['type=issue', 'type=eq.issue'],
    ['sort_order=5', 'sort_order=eq.5'],
    ['unit_price=4.5', 'unit_price=eq.4.5'],
    ['id=a0000000-0000-4000-8000-000000000001', 'id=eq.a0000000-0000-4000-8000-000000000001'],
    ['name=Lion%20Head', 'name=eq.Lion Head'],
    ['name=', 'name=eq.'],
    ['customization->>team=Tigers', 'customization->>team=eq.Tigers'],
    ['name[0]=a', 'name[0]=eq.a'],
    ['created_at=2026-05-20T10:00:00.5Z', 'created_at=eq.2026-05-20T10:00:00.5Z'],
  ])('is shown with one: %s', (query, suggested) => {
    expect(hintFor(query)).toMatch(/^Perhaps you meant "/);
    expect(hintFor(query)).toContain(`"${suggested}"`);
    expect(parseRequest({ method: 'GET', query: suggested, body: '', header: () => null }).ok).toBe(true);
  });

  it.each([
    'name=contains.lion',
    'name=EQ.lion',
    'sort_order=eq(some).{1,2}',
    'name=not.lion',
    'id=(1,2)',
  ])('that has a word in its place is told all of them: %s', query => {
    for (const name of [...Object.keys(operators), ...Object.keys(textSearchOperators), 'in', 'is']) {
      expect(hintFor(query)).toMatch(new RegExp(`^The operators are .*\\b${name}\\b`));
    }
  });

  it.each([
    'name=in.lion',
    'name=is.lion',
    'name=in.(a',
  ])('is not what one with an operator is: %s', query => {
    expect(hintFor(query)).toBeUndefined();
  });

  it('is not repeated when it is long', () => {
    for (const [name, value] of [
      ['name', 'x'.repeat(100)],
      ['x'.repeat(100), 'lion'],
    ] as const) {
      expect(suggestOperator(name, value)).toContain('"<column>=eq.<value>"');
    }
  });

  it('may be a parameter that is no filter: its hint lists those', () => {
    const [, listed = ''] = /except (.*) are filters\.$/.exec(suggestOperator('page', '2')) ?? [];
    const names = listed.split(', ');
    expect(names).toContain('select');
    for (const name of names) {
      const query = `${name}=${/^(?:and|or)$/.test(name) ? '(id.eq.1)' : '2'}`;
      const request = parseRequest({ method: 'GET', query, body: '', header: () => null });
      expect(request.ok && request.value.conditions.filter(({ is }) => is === 'filter')).toEqual([]);
    }
  });
});
