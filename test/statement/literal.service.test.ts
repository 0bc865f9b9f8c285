/** Any text that Postgres can hold goes through a literal and comes back the same. */
import fc from 'fast-check';
import postgres, { type Sql as Connection } from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identifier, literal, type Sql, sql } from '../../functions/statement/sql.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';

let database: TestDatabase;
/** One connection, so that a setting holds for all that follows. */
let connection: Connection;
beforeAll(async () => {
  database = await createDatabase();
  connection = postgres(database.ownerUrl, { max: 1 });
});
afterAll(async () => {
  await connection.end();
  await database.drop();
});

/** Whole characters but NUL, and plenty of what could end a literal. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }).map(string => string.replaceAll('\0', '')),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '\\',
      '"',
      '$$',
      ';',
      '--',
      '/*',
      '\n',
      'E',
      '\u2019',
      '%',
      '?',
      '::',
      'é',
      '🦤',
    ),
  }),
);

const ask = async (statement: Sql): Promise<unknown> => {
  const [row] = await connection.unsafe(statement.text).simple();
  return row;
};

it.each(['on', 'off'])('a literal is the text, with standard_conforming_strings %s', async setting => {
  await connection.unsafe(`set escape_string_warning = off; set standard_conforming_strings = ${setting}`);
  await fc.assert(
    fc.asyncProperty(text, async value => {
      expect(await ask(sql`select ${value}::text as answer`)).toEqual({ answer: value });
    }),
    { numRuns: rounds(100, 500) },
  );
});

it('several literals in one statement stay apart', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, text, async (a, b, c) => {
      const statement = sql`select ${a}::text as a, ${b}::text as b, ${literal(c)}::text as c`;
      expect(await ask(statement)).toEqual({ a, b, c });
    }),
    { numRuns: rounds(60, 300) },
  );
});

it('a name is the name, up to the length that Postgres keeps', async () => {
  const name = text.filter(value => value !== '' && new TextEncoder().encode(value).length <= 63);
  await fc.assert(
    fc.asyncProperty(name, async value => {
      const { columns } = await connection.unsafe(sql`select 1 as ${identifier(value)}`.text).simple();
      expect(columns.map(column => column.name)).toEqual([value]);
    }),
    { numRuns: rounds(60, 300), examples: [['__proto__'], ['"'], ['a b']] },
  );
});
