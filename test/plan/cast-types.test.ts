import { describe, expect, it } from 'vitest';
import { findCastType } from '../../functions/plan/cast-types.ts';

describe('the type of a cast', () => {
  it.each([
    'text',
    'int',
    'int8',
    'bigint',
    'numeric',
    'bool',
    'date',
    'timestamptz',
    'uuid',
    'jsonb',
  ])('may be %s', name => {
    expect(findCastType(name)).toBe(name);
  });

  it.each([
    ['TEXT', 'text'],
    [' text ', 'text'],
    ['Double  Precision', 'double precision'],
    ['timestamp with time zone', 'timestamp with time zone'],
    ['character varying', 'character varying'],
  ])('is written as Postgres writes it: %j', (name, type) => {
    expect(findCastType(name)).toBe(type);
  });

  it.each([
    '',
    'strange',
    'regclass',
    'regrole',
    'oid',
    'constructor',
    'text)',
    'text; drop table x',
    'int--',
    '"text"',
    'text[]',
    'varchar(5)',
    'double\nprecision',
    'pg_catalog.text',
  ])('is none that the list does not have: %j', name => {
    expect(findCastType(name)).toBeUndefined();
  });
});
