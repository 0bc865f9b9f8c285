/** A read whose shape came before is planned as if none had: the same statement, or the same failure. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { ok, type Result } from '../../functions/common/result.ts';
import { findPlan, rememberPlan } from '../../functions/plan/known-plans.ts';
import { permit } from '../../functions/plan/permission.ts';
import type { Plan } from '../../functions/plan/plan.ts';
import { planRequest } from '../../functions/plan/plan-request.ts';
import { type HttpHead, parseHead } from '../../functions/request/parse-request.ts';
import { shapeOf } from '../../functions/request/shape.ts';
import { messageOf } from '../../functions/statement/statement.ts';
import type { Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { quotes } from '../../schema/quotes.ts';
import { anyHeaders } from '../fuzz/headers.ts';
import { anyQuery } from '../fuzz/request.ts';
import { type FuzzCaller, people } from '../fuzz/world.ts';
import { rounds } from '../setup/full-size.ts';
import { id, staff } from './plan-of.ts';

const customer = (sub: string): Caller => ({
  kind: 'customer',
  audience: 'customer',
  claims: { role: 'authenticated', sub, app_metadata: { account_ids: [] } },
});
const ann = customer(id);

const head = (query: string, headers: Record<string, string> = {}): HttpHead => ({
  method: 'GET',
  query,
  header: name => headers[name] ?? null,
});

function planAnew(http: HttpHead, caller: Caller, collection: Collection): Result<Plan> {
  const request = parseHead(http);
  const context = permit(http.method, { collection, caller, maxRows: 1000 });
  if (!request.ok || !context.ok) {
    return request.ok ? (context as Result<never>) : request;
  }
  return planRequest(request.value, context.value);
}

/** Plans a request as the service does: by its shape, if that came before. */
function planKnown(http: HttpHead, caller: Caller, collection: Collection): Result<Plan> | 'unknown' {
  const shape = shapeOf(http);
  const known = shape && findPlan(shape, { collection, caller, maxRows: 1000 });
  return known ? ok(known) : 'unknown';
}

function remember(http: HttpHead, caller: Caller, collection: Collection): void {
  const shape = shapeOf(http);
  const plan = planAnew(http, caller, collection);
  if (shape && plan.ok && plan.value.is === 'read') {
    rememberPlan(shape, { collection, caller, maxRows: 1000 }, plan.value);
  }
}

/** The whole message, at each of the two sizes a response may have. */
const textOf = (plan: Result<Plan>) =>
  plan.ok ? [1000, plan.value.maxBytes].map(maxBytes => messageOf({ ...plan.value, maxBytes }).text) : plan;

describe('a read whose shape came before', () => {
  it.each<[string, string, string, Record<string, string>?]>([
    ['one comparison', 'id=eq.1', `id=eq.${id}`],
    [
      'several, of one column too',
      'roster_count=gte.1&roster_count=lt.9',
      'roster_count=gte.8&roster_count=lt.2',
    ],
    ['the same value twice', 'sport=eq.a&company=eq.a', 'sport=eq.b&company=eq.c'],
    ['what is percent-encoded', 'company=eq.a%20b', 'company=eq.c%2Bd+e'],
    ['quotes and backslashes', 'company=eq.a', "company=eq.'%5C%3B--"],
    ['an exact count', 'company=eq.a', 'company=eq.b', { prefer: 'count=exact' }],
    ['an estimated count', 'company=eq.a', "company=eq.'b", { prefer: 'count=planned' }],
    ['an execution plan', 'company=eq.a', 'company=eq.b', { accept: 'application/vnd.pgrst.plan' }],
    ['CSV', 'company=eq.a', 'company=eq.b', { accept: 'text/csv' }],
    [
      'other conditions beside',
      'or=(sport.eq.a,id.is.null)&company=eq.a&sport=like.x*',
      'or=(sport.eq.a,id.is.null)&company=eq.b&sport=like.x*',
    ],
    ['a number of rows', 'sport=eq.a&order=id&limit=5', 'sport=eq.b&order=id&limit=5'],
  ])('has the statement that it would have: %s', (_, first, second, headers) => {
    remember(head(`select=id,company&${first}`, headers), staff, quotes);
    const http = head(`select=id,company&${second}`, headers);
    const [known, anew] = [planKnown(http, staff, quotes), planAnew(http, staff, quotes)];
    expect(known).not.toBe('unknown');
    expect(textOf(known as Result<Plan>)).toEqual(textOf(anew));
  });

  it('is of its own caller', () => {
    remember(head('id=eq.1&select=sport'), ann, quotes);
    const other = customer('b0000000-0000-4000-8000-000000000001');
    expect(planKnown(head('id=eq.1&select=sport'), other, quotes)).toMatchObject({
      value: { caller: other },
    });
  });

  it('is unknown to callers with other rights, and of other collections', () => {
    remember(head('select=id&created_at=gt.2026-01-01'), staff, quotes);
    for (const collection of collections.filter(({ name }) => name !== 'quotes')) {
      expect(planKnown(head('select=id&created_at=gt.2026-01-01'), staff, collection)).toBe('unknown');
    }
    expect(planKnown(head('select=id&created_at=gt.2026-01-01'), ann, quotes)).toBe('unknown');
  });

  it.each([
    ['another column', 'sport=eq.a', 'company=eq.a'],
    ['another operator', 'sport=eq.a', 'sport=neq.a'],
    ['a negation', 'sport=eq.a', 'sport=not.eq.a'],
    ['another order of filters', 'sport=eq.a&company=eq.a', 'company=eq.a&sport=eq.a'],
    ['another limit', 'sport=eq.a&limit=1', 'sport=eq.a&limit=2'],
    ['an invalid number', 'roster_count=eq.1', `roster_count=eq.${'1'.repeat(101)}`],
    ['the word null', 'roster_count=eq.1', 'roster_count=eq.null'],
    [
      'a time zone that nobody heard of',
      'created_at=gt.2026-01-01',
      'created_at=gt.2026-01-01 10:00 Nowhere/Else',
    ],
    ['a NUL', 'sport=eq.a', 'sport=eq.%00'],
    ['a name that is encoded', 'sport=eq.a', 'sp%6Frt=eq.a'],
  ])('is another one with %s', (_, first, second) => {
    remember(head(`select=status&${first}`), staff, quotes);
    expect(planKnown(head(`select=status&${second}`), staff, quotes)).toBe('unknown');
  });

  it.each<[number, Record<string, string>, Record<string, string>]>([
    [1, {}, { accept: '' }],
    [2, { accept: '' }, { 'accept-profile': '' }],
    [3, { accept: 'text/csv' }, { accept: 'application/json' }],
    [4, { prefer: 'count=exact' }, {}],
    [5, { range: '0-4' }, { range: '0-5' }],
    [6, {}, { 'if-none-match': '"1"' }],
    [7, {}, { 'if-match': '*' }],
  ])('is another one with other headers: %i, %o, %o', (limit, first, second) => {
    const query = `select=quote_number&id=eq.1&limit=${limit}`;
    remember(head(query, first), staff, quotes);
    expect(planKnown(head(query, second), staff, quotes)).toBe('unknown');
  });

  it('is planned as if none had come before, whatever is asked', () => {
    let found = 0;
    const property = fc.property(anyRead, ({ caller, collection, query, headers, method, operands }) => {
      const http = { ...head(query, headers), method };
      remember(http, caller, collection);
      const other = { ...http, query: withOperands(query, operands) };
      const [known, anew] = [planKnown(other, caller, collection), planAnew(other, caller, collection)];
      if (known !== 'unknown') {
        found += 1;
        expect(textOf(known)).toEqual(textOf(anew));
        expect(known.ok && { ...known.value, shape: undefined, operands: undefined }).toEqual(
          anew.ok && { ...anew.value, shape: undefined, operands: undefined },
        );
      }
    });
    fc.assert(property, { numRuns: rounds(1000, 20_000) });
    expect(found).toBeGreaterThan(100);
  });
});

/** A random read, and what it compares with when it comes again. */
const anyRead = fc.constantFrom(...collections).chain(collection =>
  fc
    .constantFrom<[FuzzCaller['kind'], Caller]>(['customer', ann], ['staff', staff])
    .chain(([kind, caller]) => {
      const subject = { collection, caller: { kind, owns: people.ann } as FuzzCaller, isWild: false };
      return fc.record({
        caller: fc.constant(caller),
        collection: fc.constant(collection),
        method: fc.constantFrom<'GET' | 'HEAD'>('GET', 'HEAD'),
        query: fc.boolean().chain(isOfARow => anyQuery(subject, isOfARow)),
        headers: anyHeaders(false),
        operands: fc.array(anyOperand, { minLength: 3, maxLength: 3 }),
      });
    }),
);

const anyOperand = fc.oneof(
  fc.constantFrom('', '0', 'null', "it's", '%5C', '%00', '%C3%A9', 'a,b', '(1)', '{1}', 'now', id),
  fc.constantFrom('2026-01-01', '2026-01-01%2010:00%20Nowhere/Else', '1e5000', 'x'.repeat(200)),
);

/** Replaces the operands of a query's comparisons by these, in turn. */
function withOperands(query: string, operands: string[]): string {
  let turn = 0;
  return query.replace(
    /=((?:eq|neq|gte?|lte?)\.)[^&;]*/g,
    (_, operator: string) => `=${operator}${operands[turn++ % operands.length]}`,
  );
}
