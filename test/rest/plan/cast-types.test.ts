import { describe, expect, it } from 'vitest';
import { type CastSource, findCast } from '../../../functions/rest/plan/cast-types.ts';
import { quotes } from '../../../schema/quotes.ts';
import { planAsStaff } from './plan-of.ts';

const text: CastSource = { field: { column: 'sport', type: quotes.columns.sport.type, path: [] } };
const typeOf = (name: string, source = text) => {
  const found = findCast(name, source);
  return found.is === 'possible' ? found.type : found.is;
};

describe('the type of a cast', () => {
  it.each([
    ['sport::date', 'impossible'],
    ['sport::double precision', 'possible'],
    ['customization->>a::jsonb', 'impossible'],
    ['created_at.max()::date', 'possible'],
    ['created_at.min()::date', 'possible'],
    ['created_at.count()::date', 'impossible'],
    ['roster_count.sum()::text', 'possible'],
    ['sport.max()::date', 'impossible'],
    ['sport::text.max()::int', 'possible'],
    ['created_at::date.max()::timestamptz', 'possible'],
    ['customization->a::json.max()::jsonb', 'possible'],
    ['customization->a::boolean', 'possible'],
    ['customization->>a::uuid', 'possible'],
    ['customization->a::uuid', 'impossible'],
  ])('of %s is %s', (select, isPossible) => {
    const expected =
      isPossible === 'possible' ? { ok: true } : { failure: { is: 'invalid value', sqlstate: '42846' } };
    expect(planAsStaff({ query: `select=${select}` })).toMatchObject(expected);
  });

  it.each([' TEXT ', 'Double  Precision'])('is normalised: %j', name => {
    expect(typeOf(name)).toBe(name.trim().toLowerCase().replace('  ', ' '));
  });

  it('is unknown unless it is listed', () => {
    const names = ['', 'regclass', 'oid', 'constructor', 'tsquery', 'bytea', 'interval', 'text)', 'int--'];
    for (const name of [...names, '"text"', 'text[]', 'varchar(5)', 'double\nprecision', 'pg_catalog.text']) {
      expect(typeOf(name)).toBe('unknown');
    }
  });
});
