import { describe, expect, it } from 'vitest';
import { type CastSource, findCast } from '../../functions/plan/cast-types.ts';
import type { JsonStep } from '../../functions/request/request.ts';
import type { Column } from '../../schema/collection.ts';
import { graphics } from '../../schema/graphics.ts';
import { notifications } from '../../schema/notifications.ts';
import { quotes } from '../../schema/quotes.ts';

const column = (name: keyof typeof quotes.columns, ...path: JsonStep[]): CastSource => ({
  field: { column: name, type: quotes.columns[name].type, path },
});
const typeOf = (name: string, source = column('sport')) => {
  const found = findCast(name, source);
  return found.is === 'possible' ? found.type : found.is;
};

describe('the type of a cast', () => {
  it.each([
    'text',
    'int',
    'int8',
    'bigint',
    'numeric',
    'bool',
    'uuid',
    'double precision',
  ])('of a text may be %s', name => {
    expect(typeOf(name)).toBe(name);
  });

  it.each([
    'json',
    'jsonb',
    'date',
    'timestamptz',
    'timestamp',
  ])('of a text cannot be %s, which would cost too much', name => {
    expect(typeOf(name)).toBe('impossible');
    expect(typeOf(name, column('customization', { arrow: '->>', operand: 'a' }))).toBe('impossible');
  });

  it('of a time may be a time, and of JSON may be JSON', () => {
    expect(typeOf('date', column('created_at'))).toBe('date');
    expect(typeOf('timestamptz', column('event_date'))).toBe('timestamptz');
    expect(typeOf('jsonb', column('customization', { arrow: '->', operand: 'a' }))).toBe('jsonb');
    expect(typeOf('int', column('customization', { arrow: '->', operand: 'a' }))).toBe('int');
    expect(typeOf('int', column('created_at'))).toBe('impossible');
  });

  it.each<[string, Column, string, string]>([
    ['an integer', quotes.columns.roster_count, 'text numeric', 'uuid date jsonb'],
    ['a bigint', notifications.columns.id, 'text int', 'uuid date jsonb'],
    ['a numeric', quotes.columns.unit_price, 'text int', 'uuid date jsonb'],
    ['a boolean', quotes.columns.rush_order, 'text int', 'uuid date jsonb'],
    ['a uuid', quotes.columns.id, 'text uuid', 'int date jsonb'],
    ['a time', quotes.columns.created_at, 'text date timestamptz', 'int uuid jsonb'],
    ['an array', graphics.columns.tags, 'text', 'int uuid date jsonb'],
    ['JSON', quotes.columns.customization, 'text int jsonb', 'uuid date'],
  ])('of %s is one to which Postgres casts it', (_, { type }, possible, impossible) => {
    const source = { field: { column: '', type, path: [] } };
    for (const name of possible.split(' ')) {
      expect(typeOf(name, source)).toBe(name);
    }
    for (const name of impossible.split(' ')) {
      expect(typeOf(name, source)).toBe('impossible');
    }
  });

  it.each([
    ['TEXT', 'text'],
    [' text ', 'text'],
    ['Double  Precision', 'double precision'],
    ['character varying', 'character varying'],
  ])('is normalised: %j', (name, type) => {
    expect(typeOf(name)).toBe(type);
  });

  it.each([
    '',
    'strange',
    'regclass',
    'regrole',
    'oid',
    'constructor',
    'tsvector',
    'tsquery',
    'bytea',
    'interval',
    'text)',
    'text; drop table x',
    'int--',
    '"text"',
    'text[]',
    'varchar(5)',
    'double\nprecision',
    'pg_catalog.text',
  ])('is unknown unless it is listed: %j', name => {
    expect(typeOf(name)).toBe('unknown');
  });
});
