/** The collections of schema/ agree with the migrated database. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Audience, Collection, Column, Privilege } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { bytesOf, type ColumnType, readFormatError } from '../../schema/column-type.ts';
import { emailAddress } from '../../schema/email-address.ts';
import { address, colors, counts, jsonObject } from '../../schema/json-types.ts';
import * as types from '../../schema/types.ts';
import { may, newRow, type Row } from '../setup/collection-rows.ts';
import { useDatabase } from '../setup/database.ts';
import { insert } from '../sql/roles.ts';

type Samples = { taken: readonly unknown[]; refused: readonly unknown[] };
const id = '11111111-1111-4111-8111-111111111111';
const objects = [[], 'x', 1, true];
const badNumbers = ['QT-2026-0001', 'QT-26-00001', 'QT-2026-000001', 'qt-2026-00001', 'QT-2026-00001\n', ''];
const badCodes = ['', 'Main-Logo', 'MAIN LOGO', 'MAIN_LOGO', 'É', 'A\n', 'A\nB'];
const badAddresses = [
  '',
  'ann',
  'ann@example',
  'ann@example.com, bob@example.com',
  'ann@example.com\n',
  'ann@192.0.2.1',
];
const badCounts = [{ M: -1 }, { M: 1.5 }, { M: '7' }, { M: null }, { M: [1] }];
/** Each size has eleven bytes, as Postgres writes it. */
const sizes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`.padStart(4, 'S'), 1]));
const time = '2026-02-28 10:00:00';
const samples: [type: ColumnType, taken: unknown[], refused: unknown[]][] = [
  [types.quoteNumber, ['QT-2026-00001', 'QT-0000-99999'], badNumbers],
  [types.graphicCode, ['MAIN-LOGO', 'A', '2026', '-'], badCodes],
  [emailAddress, ['ann@example.com', "o'brien+quotes@bücher.example"], badAddresses],
  [types.currency, ['USD', 'EUR'], ['', 'US', 'usd', 'USDT', 'US1', 'ÄÖÜ', 'USD ']],
  [types.count, [0, 2147483647, '12'], [-1, 2147483648, 1.5, 'many', '']],
  [types.integer, [0, -2147483648, ' 7 '], [2147483648, -2147483649, 1.5, 'x']],
  [types.bigint, [1_000_000, '9007199254740991'], ['x', 1.5, '1e30']],
  [types.price, [0, 58, '1.50', 1e-9, '1e3'], [-0.01, '-1', 'free', '']],
  [types.uuid, [id, id.replaceAll('-', '')], ['', 'x', '1']],
  [
    types.url,
    ['https://a.test/x?y#z', 'HTTP://a'],
    ['', 'a.png', 'javascript:alert(1)', 'data:,x', 'https://a b', 'https://'],
  ],
  [types.boolean, [true, false, 'yes', '0'], ['maybe', 2, '']],
  [types.date, ['2026-02-28', '2028-02-29'], ['2026-02-29', '2026-13-01', 'soon', '']],
  [types.timestamptz, [`${time}Z`, `${time}.123456+02:00`], ['2026-02-30T10:00:00Z', 'soon', '']],
  [jsonObject, [{}, { deep: [1, null] }], objects],
  [
    colors,
    [{}, { primary: '#fff', accent3: '', accent: null }],
    [{ other: '' }, { primary: 1 }, { primary: 'é'.repeat(1000) }, ...objects],
  ],
  [
    address,
    [{}, { street: '1 Main St', zip: '62701', state: null }],
    [{ planet: '' }, { zip: 62701 }, { city: 'x'.repeat(2000) }, ...objects],
  ],
  [counts, [{}, { M: 7, XXL: 0 }, sizes(720)], [...badCounts, sizes(900), ...objects]],
];

/** Listed values are their own samples; a type that accepts every text has none. */
function samplesOf(type: ColumnType): Samples {
  if (type.values !== undefined) {
    const [first = ''] = type.values;
    return { taken: type.values, refused: ['', 'other', first.toUpperCase(), `${first} `, `${first}\n`] };
  }
  const [, taken = [], refused = []] = samples.find(([sampled]) => sampled === type) ?? [];
  return { taken, refused };
}

const database = useDatabase();
let sql: Sql;
beforeAll(async () => {
  sql = database.sql;
});

const audiences: Audience[] = ['anon', 'customer', 'staff', 'reader'];
const columnsOf = (collection: Collection): [string, Column][] => Object.entries(collection.columns);
const isWritten = ({ privileges }: Pick<Column, 'privileges'>): boolean =>
  privileges.staff.includes('insert');

interface TableColumn {
  name: string;
  type: string;
  nullable: boolean;
  default: string | null;
  identity: boolean;
}

async function readTable(table: string): Promise<TableColumn[]> {
  return await sql<TableColumn[]>`
    select attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable,
      pg_get_expr(adbin, adrelid) as default, attidentity = 'd' as identity
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = ${`builder.${table}`}::regclass and attnum > 0 and not attisdropped
    order by attnum`;
}

/** A default of schema/ as Postgres writes it. */
async function normalise({ type, default: expression }: Column): Promise<string | null> {
  if (expression === undefined) {
    return null;
  }
  return await sql.begin(async transaction => {
    await transaction.unsafe(
      `create temporary table sample (c ${type.postgres} default ${expression}) on commit drop`,
    );
    const [row] = await transaction<{ text: string }[]>`
      select pg_get_expr(adbin, adrelid) as text from pg_attrdef where adrelid = 'pg_temp.sample'::regclass`;
    return row?.text ?? null;
  });
}

it('every collection has its table, and every served table its collection', async () => {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'builder'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and exists (select from pg_policies where schemaname = 'builder' and tablename = relname and 'builder_staff' = any (roles))
      -- The feed of live updates is no collection.
      and relname <> 'changes'
    order by 1`;
  expect(tables.map(({ name }) => name)).toEqual(collections.map(({ name }) => name).sort());
});

describe.each(
  collections.map(collection => [collection.name, collection] as const),
)('%s', (table, collection) => {
  it('has the same columns in the same order', async () => {
    expect((await readTable(table)).map(({ name }) => name)).toEqual(Object.keys(collection.columns));
  });

  it('has the same types', async () => {
    const types = (await readTable(table)).map(({ name, type }) => [name, type]);
    expect(types).toEqual(columnsOf(collection).map(([name, { type }]) => [name, type.postgres]));
  });

  it('allows null in the same columns', async () => {
    const nullable = (await readTable(table)).map(column => [column.name, column.nullable]);
    expect(nullable).toEqual(columnsOf(collection).map(([name, column]) => [name, column.nullable]));
  });

  it('has the same defaults, where nextval() stands for an identity', async () => {
    for (const column of await readTable(table)) {
      const told = collection.columns[column.name];
      if (column.identity) {
        const [sequence] = await sql<{ name: string }[]>`
          select pg_get_serial_sequence(${`builder.${table}`}, ${column.name}) as name`;
        expect(told?.default).toBe(`nextval('${sequence?.name}')`);
      } else {
        expect([column.name, column.default]).toEqual([column.name, told && (await normalise(told))]);
      }
    }
  });

  it('has the same primary key', async () => {
    const keys = await sql<{ name: string }[]>`
      select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
      where indrelid = ${`builder.${table}`}::regclass and indisprimary`;
    expect(keys.map(({ name }) => name)).toEqual([collection.primaryKey]);
  });

  it.each(
    audiences,
  )('grants %s what the schema lets it read, insert and update, column by column', async audience => {
    const granted = await sql<{ name: string; privileges: Privilege[] }[]>`
      select attname as name, array(
        select privilege from unnest((case when attnum > 0 then '{select,insert,update}' else '{select}' end)::text[]) privilege
        where has_column_privilege(${`builder_${audience}`}, attrelid, attnum, privilege)
      ) as privileges
      from pg_attribute where attrelid = ${`builder.${table}`}::regclass and not attisdropped
        and (attnum > 0 or attname = any (${hidden}))`;
    const has = new Map(granted.map(({ name, privileges }) => [name, privileges]));
    const needs = new Map(
      columnsOf(collection).map(([name, column]) => [
        name,
        [...column.privileges[audience], ...beyondSchema(collection, audience, name)],
      ]),
    );
    for (const name of may(collection, audience, 'select') ? hidden : []) {
      needs.set(name, ['select']);
    }
    const on = `on builder.${table}`;
    expect([
      ...beyond(needs, has).map(missing => `grant ${missing} ${on} to builder_${audience};`),
      ...beyond(has, needs).map(excess => `revoke ${excess} ${on} from builder_${audience};`),
    ]).toEqual([]);
  });

  it.each(
    audiences,
  )('grants %s to delete when the schema does: by update, where a DELETE only marks', async audience => {
    const deletable = collection.deletableBy.includes(audience);
    const marks = collection.softDelete !== undefined;
    const [granted] = await sql<{ remove: boolean; mark: boolean }[]>`
      select has_table_privilege(role, target, 'delete') as remove,
        has_column_privilege(role, target, ${collection.softDelete ?? collection.primaryKey}, 'update') as mark
      from (select ${`builder_${audience}`} as role, ${`builder.${table}`} as target) given`;
    expect(granted?.remove).toBe(deletable && (audience === 'staff' || !marks));
    if (marks) {
      expect(granted?.mark).toBe(deletable);
    }
  });

  describe.each(
    columnsOf(collection).filter(
      ([, column]) => isWritten(column) && samplesOf(column.type).taken.length > 0,
    ),
  )('%s', (name, column) => {
    const { taken, refused } = samplesOf(column.type);

    it('of the table accepts what its format accepts', async () => {
      for (const value of taken) {
        expect([value, v.is(column.type.format, value)]).toEqual([value, true]);
        expect([value, await answerOf(collection, name, value)]).toEqual([value, 'taken']);
      }
    });

    it('of the table refuses what its format refuses, with the same SQLSTATE', async () => {
      for (const value of refused) {
        const result = v.safeParse(column.type.format, value);
        const sqlstate = result.success ? 'taken' : readFormatError(result.issues[0].message).sqlstate;
        expect([value, await answerOf(collection, name, value)]).toEqual([value, sqlstate]);
        expect([value, sqlstate]).not.toEqual([value, 'taken']);
      }
    });
  });
});

describe('a column of texts', () => {
  const sized = collections.flatMap(collection =>
    columnsOf(collection).flatMap(([name, { type, ...column }]) =>
      isWritten(column) &&
      type.maxBytes !== undefined &&
      /^(?:text|character varying)$/.test(type.postgres) &&
      !type.pattern
        ? [[collection.name, name, type.maxBytes] as const]
        : [],
    ),
  );

  it.each(
    sized,
  )('%s.%s takes %i bytes and not one more, in the table as at the edge', async (of, name, bytes) => {
    const collection = collections.find(collection => collection.name === of);
    const format = collection?.columns[name]?.type.format;
    const most = 'é'.repeat(Math.floor(bytes / 2)).padEnd(Math.ceil(bytes / 2), 'x');
    expect(bytesOf(most)).toBe(bytes);
    for (const [value, taken] of [
      [most, true],
      [`${most}x`, false],
    ] as const) {
      expect(format && v.is(format, value)).toBe(taken);
      expect(collection && (await answerOf(collection, name, value))).toBe(taken ? 'taken' : '23514');
    }
  });

  it('has a maximum size, and a row has at most 1.1 MiB', () => {
    for (const { name, columns } of collections) {
      const bytes = Object.values(columns).map(({ type }) => type.maxBytes ?? 100);
      expect([
        name,
        Object.values(columns).filter(
          ({ type }) => /text|char|json/.test(type.postgres) && !type.values && type.maxBytes === undefined,
        ),
      ]).toEqual([name, []]);
      expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(1.1 * 2 ** 20);
    }
  });
});

it('every column with listed values or a pattern has samples', () => {
  for (const [name, { type }] of collections.flatMap(columnsOf)) {
    const { taken, refused } = samplesOf(type);
    const checked = type.values !== undefined || type.pattern !== undefined;
    expect([name, !checked || (taken.length > 0 && refused.length > 0)]).toEqual([name, true]);
  }
});

/** Columns that every table has: a row's version, of which ETags are made, and what tells an upsert which rows are new. */
const hidden = ['xmin', 'xmax'];

/** The privileges of columns that one has and the other has not, as a statement names them, if there are any. */
function beyond(one: Map<string, Privilege[]>, other: Map<string, Privilege[]>): string[] {
  const parts = (['select', 'insert', 'update'] as const).flatMap(privilege => {
    const names = [...one.keys()].filter(
      name => one.get(name)?.includes(privilege) && !other.get(name)?.includes(privilege),
    );
    return names.length === 0 ? [] : [`${privilege} (${names.join(', ')})`];
  });
  return parts.length === 0 ? [] : [parts.join(', ')];
}

/** A soft delete updates a column, so the role has a grant on it that no body may use. */
function beyondSchema(
  { columns, softDelete, deletableBy }: Collection,
  audience: Audience,
  column: string,
): Privilege[] {
  const isMark = column === softDelete && deletableBy.includes(audience);
  return isMark && !columns[column]?.privileges[audience].includes('update') ? ['update'] : [];
}

/** What a quote of any status must have. */
const beyondRequired: Record<string, Row> = { quotes: { unit_price: 1, total_price: 1 } };

/** The outcome of inserting a row with this value as the service does: `taken`, or the SQLSTATE. */
async function answerOf(collection: Collection, column: string, value: unknown): Promise<string> {
  const { name: table } = collection;
  const only = column === 'fulfillment_status' ? { status: 'ordered' } : {};
  try {
    await insert(sql, table, {
      ...newRow(collection, randomUUID()),
      ...beyondRequired[table],
      ...only,
      [column]: value,
    });
    await sql`delete from builder.${sql(table)}`;
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
}
