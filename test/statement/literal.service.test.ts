/** Any text that Postgres can store passes through a literal unchanged, in a statement and as an argument of one. */
import fc from 'fast-check';
import postgres, { type Sql as Connection } from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { argumentsOf, shapeOf } from '../../functions/statement/render.ts';
import { identifier, type Sql, sql } from '../../functions/statement/sql.ts';
import { anyText } from '../setup/any-text.ts';
import { useDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';

const database = useDatabase();
/** One connection, so that settings last. */
let connection: Connection;
beforeAll(async () => {
  connection = postgres(database.ownerUrl, { max: 1 });
});
afterAll(async () => {
  await connection.end();
});

/** All characters but NUL, with many that could end a literal. */
const text = fc.oneof(
  anyText({ maxLength: 200 }).map(string => string.replaceAll('\0', '')),
  fc.string({ unit: fc.constantFrom(...'\' \\ " $$ ; -- /* E \u2019 % ? :: é 🦤'.split(' '), '\n') }),
);

/** The row of a statement, sent with its values in its text, and prepared and executed. */
async function ask(statement: Sql): Promise<unknown[]> {
  const [inline] = await connection.unsafe(statement.text).simple();
  const texts = `prepare p as ${shapeOf(statement)}; execute p${argumentsOf(statement)}; deallocate p`;
  const results = (await connection.unsafe(texts).simple()) as unknown as unknown[][];
  return [inline, results[1]?.[0]];
}

it.each([
  'on',
  'off',
])('literals have the values of their texts, with standard_conforming_strings %s', async setting => {
  await connection.unsafe(`set escape_string_warning = off; set standard_conforming_strings = ${setting}`);
  await fc.assert(
    fc.asyncProperty(text, text, text, async (a, b, c) => {
      const statement = sql`select ${a}::text as a, ${b}::text as b, ${c}::text as c`;
      expect(await ask(statement)).toEqual(Array(2).fill({ a, b, c }));
    }),
    { numRuns: rounds(100, 500) },
  );
});

it('an identifier has the name given, up to the length that Postgres keeps', async () => {
  const name = text.filter(
    value => value !== '' && new TextEncoder().encode(value).length <= limits.query.nameBytes,
  );
  await fc.assert(
    fc.asyncProperty(name, async value => {
      const { columns } = await connection.unsafe(sql`select 1 as ${identifier(value)}`.text).simple();
      expect(columns.map(column => column.name)).toEqual([value]);
    }),
    { numRuns: rounds(60, 300), examples: [['__proto__'], ['"'], ['a b']] },
  );
});
