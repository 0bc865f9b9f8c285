import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../functions/caller/caller.ts';
import { limits } from '../../../functions/common/limits.ts';
import { groupSteps } from '../../../functions/rest/plan/json-steps.ts';
import { parseFilterKey } from '../../../functions/rest/request/field.ts';
import type { Collection } from '../../../schema/collection.ts';
import { graphics } from '../../../schema/graphics.ts';
import { notifications } from '../../../schema/notifications.ts';
import { quotes } from '../../../schema/quotes.ts';
import { planAsStaff, planOf, quote, staff, type TestRequest } from './plan-of.ts';

const anon: Caller = { kind: 'anon', audience: 'anon' };
const customer: Caller = { kind: 'customer', audience: 'customer' };

type PartialRequest = Partial<TestRequest>;

/** Plans a request, by default a customer's for quotes. */
const plan = (request: PartialRequest) => planOf({ as: customer, of: quotes, ...request });
const refused = (failure: object) => ({ ok: false, failure });
const accepted = { ok: true };

describe('internal_notes', () => {
  const forbidden = (action: string) => {
    const inBody = { is: 'forbidden fields', fields: [{ path: 'internal_notes' }], action };
    const failure = action === 'read' ? { is: 'unreadable column', column: 'internal_notes' } : inBody;
    return refused({ ...failure, collection: 'quotes', authenticated: true });
  };

  it.each([
    'select=id,note:internal_notes',
    'select=internal_notes->>a',
    'select=internal_notes.count()',
    'internal_notes->>a=eq.1',
    'or=(id.is.null,and(sport.eq.golf,internal_notes.eq.x))',
    'order=sport,internal_notes.desc',
  ])('cannot be read by a customer: %s', query => {
    expect(plan({ query })).toEqual(forbidden('read'));
    expect(plan({ query, as: staff })).toMatchObject(accepted);
  });

  const rows = { prefer: 'return=representation' };
  const upsert = { prefer: 'resolution=merge-duplicates' };
  const post = { method: 'POST', body: quote } as const;
  const patch = { method: 'PATCH', body: { sport: 'x' } } as const;

  it.each<[string, PartialRequest, string]>([
    [
      'columns=',
      { ...post, body: { ...quote, internal_notes: 'x' }, query: 'columns=internal_notes,sport' },
      'set',
    ],
    ['the filter of a delete', { method: 'DELETE', query: 'internal_notes=eq.x' }, 'read'],
    ['the rows that an insert returns', { ...post, query: 'select=internal_notes', headers: rows }, 'read'],
    ['what an update returns', { ...patch, query: 'id=eq.1&order=internal_notes', headers: rows }, 'read'],
    ['on_conflict=', { ...post, query: 'on_conflict=internal_notes', headers: upsert }, 'read'],
  ])('is forbidden to a customer in %s', (_, request, action) => {
    expect(plan(request)).toMatchObject(forbidden(action));
  });
});

it('a column that is hidden from anonymous callers alone makes them sign in', () => {
  const { name } = graphics.columns;
  const columns = { ...graphics.columns, name: { ...name, privileges: { ...name.privileges, anon: [] } } };
  const of: Collection = { ...graphics, name: 'hidden', columns };
  const read = (as: Caller) => plan({ as, of, query: 'select=name' });
  expect(read(anon)).toMatchObject(refused({ authenticated: false }));
  expect(read(customer)).toMatchObject(accepted);
});

describe('a selected value', () => {
  const outputs = (query: string) => {
    const planned = planAsStaff({ query: `select=${query}` });
    return planned.ok ? planned.value.outputs : planned.failure;
  };

  it('may be the number of rows without parentheses, unless a column is named count', () => {
    expect(outputs('count::text')).toEqual([{ name: 'count', aggregate: 'count', aggregateCast: 'text' }]);
    expect(outputs('count->a')).toMatchObject({ is: 'unknown column' });
    expect(outputs('count::uuid')).toMatchObject({ is: 'invalid value', sqlstate: '42846' });
    const columns = { ...quotes.columns, count: quotes.columns.roster_count };
    const of: Collection = { ...quotes, name: 'counted', columns };
    expect(planAsStaff({ of, query: 'select=count' })).toMatchObject({
      value: { outputs: [{ field: { column: 'count' } }] },
    });
  });

  it.each(['ñ'.repeat(32), '""'])('has no alias of more than 63 bytes, or of none: %s', alias => {
    expect(plan({ query: `select=${alias}:id` })).toMatchObject(refused({ is: 'unusable name' }));
  });

  it('counts towards a hundred, also as a part of *', () => {
    const most = limits.query.outputs - Object.keys(quotes.columns).length;
    const select = (others: number) => outputs(`*,${Array.from({ length: others }, (_, at) => `n${at}:id`)}`);
    expect(select(most)).toHaveLength(limits.query.outputs);
    expect(select(most + 1)).toMatchObject({ is: 'too complex', what: 'columns to select' });
  });
});

/** The groups of a path, as `a,b|c`. */
function groups(path: string): string {
  const key = parseFilterKey(`customization${path}`);
  if (!key.ok) throw new Error(path);
  return groupSteps(key.value.field.path)
    .map(steps => steps.map(({ operand }) => operand).join())
    .join('|');
}

it.each([
  ['->a->b->>c', 'a,b,c'],
  ['->a->>b->c', 'a,b|c'],
  ['->a->0->b', 'a|0|b'],
  ['->a->"1b"->c', 'a|1b|c'],
  ['->a->"-1b"->c', 'a|-1b|c'],
  ['->a->" 1"->c', 'a| 1|c'],
  ['->a->b1->"c 2"', 'a,b1,c 2'],
])('the keys of %s, which no operator takes for an index, are one step each: %s', (path, expected) => {
  expect(groups(path)).toBe(expected);
});

it.each([
  ['sport,sport.desc', 'sport id'],
  ['sport,customization->a,customization->b,customization->a', 'sport customization customization id'],
  ['sport,id.desc', 'sport id'],
  ['id->a', 'id id'],
])('the order %s has each column once and ends with the key', (terms, columns) => {
  const planned = plan({ query: `select=id&order=${terms}` });
  expect(planned.ok && planned.value.order.map(({ field }) => field.column).join(' ')).toBe(columns);
});

it.each<[what: string, 'hides' | 'shows', PartialRequest]>([
  ['a HEAD', 'hides', { method: 'HEAD' }],
  ['an output and an order by deleted_at', 'hides', { query: 'select=deleted_at&order=deleted_at' }],
  ['a change by key', 'hides', { method: 'PATCH', query: 'id=eq.1', body: { sport: 'golf' } }],
  ['an anonymous read of graphics', 'hides', { of: graphics, as: anon }],
  ['a read of notifications, which have none,', 'shows', { of: notifications }],
  ['a filter by deleted_at', 'shows', { query: 'deleted_at=gt.2026-01-01&id=not.is.null' }],
  ['a tree with it', 'shows', { method: 'DELETE', query: 'or=(sport.eq.golf,deleted_at.not.is.null)' }],
  ['a deep tree', 'shows', { query: 'and=(sport.eq.golf,not.or(id.is.null,deleted_at.gt.2026-01-01))' }],
])('deleted rows: %s %s them', (_, effect, request) => {
  const planned = plan(request);
  const conditions = planned.ok && planned.value.is !== 'insert' ? planned.value.conditions : [];
  const last = conditions.at(-1);
  expect(last?.is === 'filter' && last.field.column === 'deleted_at' && last.operation).toEqual(
    effect === 'hides' && { operator: 'is', value: 'null' },
  );
});

describe('an unknown column', () => {
  it.each<[string, PartialRequest, string[]]>([
    ['in select', { query: 'select=sprot' }, ['sport']],
    ['in a filter', { query: 'sprot=eq.golf' }, ['sport']],
    ['in a logic tree', { query: 'or=(and(sprot.eq.golf))' }, ['sport']],
    ['far from every one', { query: 'select=zzzzzzzzzz' }, []],
    ['of every prototype', { query: 'select=__proto__' }, []],
  ])('gets the nearest one as suggestion: %s', (_, request, nearest) => {
    expect(plan(request)).toMatchObject({ failure: { is: 'unknown column', collection: 'quotes', nearest } });
  });

  const near = ['internal_note', 'internal_notess', 'Internal_Notes'];

  it.each(near)('does not reveal internal_notes to a customer: %s', name => {
    const read = plan({ query: `select=${name}` });
    const write = plan({ method: 'PATCH', query: 'id=eq.1', body: { [name]: 'x' } });
    expect(JSON.stringify([read, write])).not.toContain('"internal_notes"');
    expect(plan({ query: `select=${name}`, as: staff })).toMatchObject({
      failure: { nearest: ['internal_notes'] },
    });
  });

  it('in a body gets only suggestions that the caller may write', () => {
    const body = { unit_prices: 1 };
    expect(plan({ method: 'PATCH', query: 'id=eq.1', body })).toMatchObject({ failure: { nearest: [] } });
    expect(plan({ method: 'PATCH', query: 'id=eq.1', body, as: staff })).toMatchObject({
      failure: { nearest: ['unit_price'] },
    });
  });
});
