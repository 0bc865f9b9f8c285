/** Everything the grammar accepts becomes SQL that Postgres parses; it may still refuse values and types. */
import fc from 'fast-check';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { operators, textSearchOperators } from '../../functions/request/operators.ts';
import type { Method } from '../../functions/request/request.ts';
import { shapeOf } from '../../functions/statement/render.ts';
import { empty } from '../../functions/statement/sql.ts';
import { messageOf } from '../../functions/statement/statement.ts';
import type { Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { planParsed } from '../plan/plan-of.ts';
import { parseRequest } from '../request/parse.ts';
import { anyText } from '../setup/any-text.ts';
import { newRow, textColumnsOf } from '../setup/collection-rows.ts';
import { useDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';

const database = useDatabase();
let connection: Sql;
beforeAll(async () => {
  connection = postgres(database.ownerUrl, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await connection.end();
});

const staff: Caller = { kind: 'service', audience: 'staff' };

const piece = fc.oneof(
  anyText({ maxLength: 12 }).map(text => text.replaceAll('\0', '')),
  fc.constantFrom(
    '5',
    '-1',
    '1.5',
    'a,b',
    '{1,2}',
    '{"a":1}',
    '[1,2)',
    'true',
    '2026-01-01',
    "'",
    '\\',
    '"',
    '*',
    '%',
    "') --",
    '\\"',
    '(a)',
    '',
  ),
);
const jsonPath = fc.array(
  fc
    .tuple(
      fc.constantFrom('->', '->>'),
      fc.oneof(
        fc.constantFrom('a', '0', '-1', '99999999999', '"x y"', "it's", '\\', 'a-b'),
        fc.string({ maxLength: 5 }),
      ),
    )
    .map(parts => parts.join('')),
  { maxLength: 3 },
);
const columnOf = (collection: Collection) => fc.constantFrom(...Object.keys(collection.columns));
const fieldOf = (collection: Collection) =>
  fc
    .tuple(columnOf(collection), fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, jsonPath))
    .map(([name, path]) => name + path.join(''));

const filterValue = fc.oneof(
  fc
    .tuple(fc.constantFrom(...Object.keys(operators)), fc.constantFrom('', '(any)', '(all)'), piece)
    .map(([name, quantifier, value]) => `${name}${quantifier}.${value}`),
  fc
    .tuple(
      fc.constantFrom(...Object.keys(textSearchOperators)),
      fc.constantFrom('', '(english)', '(x)'),
      piece,
    )
    .map(([name, configuration, value]) => `${name}${configuration}.${value}`),
  fc.array(piece, { maxLength: 4 }).map(values => `in.(${values.join(',')})`),
  fc.constantFrom('is.null', 'is.not_null', 'is.true', 'is.unknown'),
);
const negatable = fc.tuple(fc.constantFrom('', 'not.'), filterValue).map(parts => parts.join(''));

const parameterOf = (collection: Collection) => {
  const field = fieldOf(collection);
  const filter = fc.tuple(field, negatable);
  const selectItem = fc
    .tuple(
      fc.constantFrom('', 'n:', '"a b":', "it's:", '"x\\"y":'),
      fc.oneof(field, fc.constant('*'), fc.constant('count()')),
      fc.constantFrom('', '::text', '::int', '::jsonb'),
      fc.constantFrom('', '.sum()', '.max()', '.count()::text'),
    )
    .map(parts => parts.join(''));
  const orderTerm = fc
    .tuple(field, fc.constantFrom('', '.asc', '.desc'), fc.constantFrom('', '.nullsfirst', '.nullslast'))
    .map(parts => parts.join(''));
  return fc.oneof(
    filter,
    fc.tuple(
      fc.constantFrom('and', 'or', 'not.or'),
      fc
        .array(filter, { minLength: 1, maxLength: 3 })
        .map(filters => `(${filters.map(parts => parts.join('.')).join(',')})`),
    ),
    fc.tuple(
      fc.constant('select'),
      fc.array(selectItem, { minLength: 1, maxLength: 4 }).map(items => items.join(',')),
    ),
    fc.tuple(
      fc.constant('order'),
      fc.array(orderTerm, { minLength: 1, maxLength: 3 }).map(terms => terms.join(',')),
    ),
    fc.tuple(fc.constantFrom('limit', 'offset'), fc.constantFrom('0', '3', '99999999999999999999')),
  );
};

const requestOf = (collection: Collection) =>
  fc.record({
    name: fc.constant(collection.name),
    method: fc.constantFrom<Method>('GET', 'HEAD', 'DELETE', 'PATCH', 'POST'),
    parameters: fc.array(parameterOf(collection), { maxLength: 4 }),
    prefer: fc.constantFrom(
      '',
      'count=exact',
      'count=planned',
      'count=estimated',
      'return=representation',
      'return=representation,missing=default',
      'return=headers-only,resolution=merge-duplicates',
      'handling=strict,max-affected=1',
    ),
    accept: fc.constantFrom(
      '*/*',
      'text/csv',
      'application/vnd.pgrst.object+json',
      'application/vnd.pgrst.array+json;nulls=stripped',
      'application/vnd.pgrst.plan+json',
    ),
  });

/** A new row, whose texts have characters that mean something in SQL. */
function bodyOf(collection: Collection): string {
  const texts = textColumnsOf(collection).map(name => [name, "it's \\"]);
  return JSON.stringify({ ...newRow(collection, crypto.randomUUID()), ...Object.fromEntries(texts) });
}

/** The errors of the parser and the lexer. An invalid tsquery is 42601 too. */
const isSyntaxError = ({ code, message }: { code: string; message: string }): boolean =>
  /^(?:syntax error at|unterminated|zero-length|there is no parameter|invalid Unicode escape)/.test(
    message,
  ) || code.startsWith('XX');

/** What Postgres says against preparing it. */
const prepare = (shape: string): Promise<{ code: string; message: string } | undefined> =>
  connection
    .unsafe(`prepare p as ${shape}; deallocate p`)
    .simple()
    .then(
      () => undefined,
      reason => reason,
    );

it('every accepted request is a message that Postgres can parse, and a statement that it can prepare', async () => {
  let planned = 0;
  let accepted = 0;
  let prepared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(...collections.map(requestOf)),
      async ({ name, method, parameters, prefer, accept }) => {
        const collection = collections.find(candidate => candidate.name === name) as Collection;
        const query = parameters.map(parts => parts.map(encodeURIComponent).join('=')).join('&');
        const headers: Record<string, string> = { prefer: `tx=rollback,${prefer}`, accept };
        const request = parseRequest({
          method,
          query,
          header: header => headers[header] ?? null,
          body: bodyOf(collection),
        });
        const plan = request.ok ? planParsed(request.value, collection, staff) : request;
        if (!plan.ok) {
          return;
        }
        planned += 1;
        const { text, statements } = messageOf(plan.value);
        const error = await connection
          .unsafe(text)
          .simple()
          .then(
            () => undefined,
            reason => reason,
          );
        accepted += error === undefined ? 1 : 0;
        expect(error && isSyntaxError(error) ? `${error.message}\n${text}` : 'parsed').toBe('parsed');
        const shape = shapeOf(statements[1] ?? empty);
        const refusal = plan.value.explain ? undefined : await prepare(shape);
        prepared += refusal === undefined ? 1 : 0;
        const isUnclear = refusal && (isSyntaxError(refusal) || refusal.code === '42P18');
        expect(isUnclear ? `${refusal.message}\n${shape}` : 'prepared').toBe('prepared');
      },
    ),
    { numRuns: rounds(300, 1500) },
  );
  expect(planned).toBeGreaterThan(rounds(60, 300));
  expect(accepted).toBeGreaterThan(rounds(10, 100));
  expect(prepared).toBeGreaterThan(rounds(40, 200));
}, 60_000);
