/** The collections of schema/ agree with the migrated database. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Audience, Collection, Column, Privilege } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { bytesOf, type ColumnType } from '../../schema/column-type.ts';
import { readFormatError } from '../../schema/format-error.ts';
import { changeOf, may, newRowOfQuote, type Row } from '../setup/collection-rows.ts';
import { useDatabase } from '../setup/database.ts';
import { asStaff, insert, update } from '../sql/roles.ts';
import { samplesOf } from './samples.ts';

const database = useDatabase();
let sql: Sql;
beforeAll(() => {
  sql = database.sql;
});

const audiences: Audience[] = ['anon', 'customer', 'staff', 'reader'];
const columnsOf = (collection: Collection): [string, Column][] => Object.entries(collection.columns);
const isWritten = ({ privileges }: Column): boolean => privileges.staff.includes('insert');

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
    where attrelid = ${`builder.${table}`}::regclass and attnum > 0 and not attisdropped`;
}

/** A default of schema/ as Postgres writes it. */
async function normalise({ type, default: expression }: Column): Promise<string | null> {
  if (expression === undefined) {
    return null;
  }
  return await sql.begin(async transaction => {
    const column = `c ${type.postgres} default ${expression}`;
    await transaction.unsafe(`create temporary table sample (${column}) on commit drop`);
    const [row] = await transaction<{ text: string }[]>`
      select pg_get_expr(adbin, adrelid) as text from pg_attrdef where adrelid = 'pg_temp.sample'::regclass`;
    return row?.text ?? null;
  });
}

it('every collection names its foreign keys to other collections', async () => {
  const keys = await sql`
    select conname as constraint, conrelid::regclass::text as of, confrelid::regclass::text as to, attname as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and connamespace = 'builder'::regnamespace`;
  const tables = collections.map(({ name }) => `builder.${name}`);
  const found = keys.filter(({ of, to }) => tables.includes(of) && tables.includes(to));
  const named = collections.flatMap(({ name, references = [] }) =>
    references.map(({ nullableBy: _, ...reference }) => ({
      ...reference,
      of: `builder.${name}`,
      to: `builder.${reference.to}`,
    })),
  );
  expect(named).toEqual(expect.arrayContaining(found));
  expect(named).toHaveLength(found.length);
  for (const { columns, references = [] } of collections) {
    expect(references.every(({ nullableBy }) => columns[nullableBy]?.nullable)).toBe(true);
  }
});

it('the policy of customers checks each foreign key that they write: else it reveals rows of other accounts', async () => {
  const policies = await sql<{ table: string; check: string }[]>`
    select tablename as table, coalesce(with_check, qual) as check from pg_policies
    where schemaname = 'builder' and cmd in ('ALL', 'INSERT', 'UPDATE') and 'builder_customer' = any (roles)`;
  const unchecked = collections.flatMap(({ name, columns, references = [] }) =>
    references
      .filter(({ column }) => columns[column]?.privileges.customer.some(one => one !== 'select'))
      .filter(({ column, to }) =>
        policies.some(
          ({ table, check }) =>
            table === name && !(check.includes(column) && check.includes(`builder.${to} `)),
        ),
      )
      .map(({ column }) => `${name}.${column}`),
  );
  expect(unchecked).toEqual([]);
});

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

describe.each(collections)('the table of $name', collection => {
  const table = collection.name;

  it('has the columns of the schema, with the same types and nulls', async () => {
    const found = (await readTable(table)).map(({ name, type, nullable }) => [name, type, nullable]);
    const wanted = columnsOf(collection).map(([name, { type, nullable }]) => [name, type.postgres, nullable]);
    expect(found.sort()).toEqual(wanted.sort());
  });

  it('has the defaults of the schema, where nextval() stands for an identity', async () => {
    for (const { name, identity, default: found } of await readTable(table)) {
      const told = collection.columns[name];
      const [sequence] = await sql<{ name: string }[]>`
        select pg_get_serial_sequence(${`builder.${table}`}, ${name}) as name`;
      const wanted = identity ? `nextval('${sequence?.name}')` : told && (await normalise(told));
      expect([name, identity ? told?.default : found]).toEqual([name, wanted]);
    }
  });

  it('has the primary key of the schema', async () => {
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
      columnsOf(collection).map(([name, { privileges }]) => [
        name,
        [...privileges[audience], ...beyondSchema(collection, audience, name)],
      ]),
    );
    for (const name of may(collection, audience, 'select') ? hidden : []) {
      needs.set(name, ['select']);
    }
    const on = `on builder.${table}`;
    const statements = [
      ...beyond(needs, has).map(missing => `grant ${missing} ${on} to builder_${audience};`),
      ...beyond(has, needs).map(excess => `revoke ${excess} ${on} from builder_${audience};`),
    ];
    expect(statements, toGrant).toEqual([]);
  });

  const sampled = columnsOf(collection).filter(
    ([name, column]) =>
      isWritten(column) &&
      samplesOf(column.type).taken.length > 0 &&
      !collection.references?.some(({ column }) => column === name),
  );
  it.each(sampled)('%s takes what its format does, and refuses by one SQLSTATE', async (name, { type }) => {
    const { taken, refused } = samplesOf(type);
    for (const value of [...taken, ...refused]) {
      const result = v.safeParse(type.format, value);
      const outcome = result.success ? 'taken' : readFormatError(result.issues[0].message).sqlstate;
      expect([value, result.success]).toEqual([value, taken.includes(value)]);
      expect([value, await answerOf(collection, name, value)]).toEqual([value, outcome]);
    }
  });
});

it.each(
  collections.filter(collection => collection.changedAt && may(collection, 'staff', 'update')),
)('a change by staff moves the time of change of $name', async collection => {
  const { name, primaryKey, changedAt = '' } = collection;
  const key = await insert(sql, name, await newRowOfQuote(sql, collection, randomUUID()));
  const changed = async () => {
    const [row] = await sql`
      select ${sql(changedAt)}::text as at from builder.${sql(name)} where ${sql(primaryKey)} = ${key}`;
    return row?.['at'];
  };
  const before = await changed();
  await asStaff(sql, {}, as => update(as, name, key, changeOf(collection)));
  expect(await changed(), `a trigger must set ${name}.${changedAt}`).not.toBe(before);
});

describe('a column of texts', () => {
  const isText = ({ postgres, pattern }: ColumnType) => /^(?:text|char.*)$/.test(postgres) && !pattern;
  const sized = collections.flatMap(collection =>
    columnsOf(collection).flatMap(([name, column]) => {
      const { type } = column;
      const isSized = isWritten(column) && type.maxBytes !== undefined && isText(type);
      return isSized ? [[collection.name, name, type.maxBytes ?? 0] as const] : [];
    }),
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
      const types = Object.values(columns).map(({ type }) => type);
      const unlimited = types.filter(
        ({ postgres, values, maxBytes }) =>
          /text|char|json/.test(postgres) && !values && maxBytes === undefined,
      );
      expect([name, unlimited]).toEqual([name, []]);
      expect(types.reduce((sum, { maxBytes = 100 }) => sum + maxBytes, 0)).toBeLessThan(1.1 * 2 ** 20);
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

const cached = collections.flatMap(({ name, cached: { audiences } = { audiences: [] }, columns }) =>
  audiences.slice(1).map(other => ({ name, columns, one: audiences[0] ?? other, other })),
);

it('cached responses are shared by audiences that read the same columns, by the same policies', async () => {
  expect(cached.map(({ name }) => name)).toEqual(['graphics']);
  for (const { name, columns, one, other } of cached) {
    for (const [column, { privileges }] of Object.entries(columns)) {
      const [reads, alsoReads] = [one, other].map(audience => privileges[audience].includes('select'));
      expect([column, reads]).toEqual([column, alsoReads]);
    }
    const policiesOf = (role: string) => sql`
      select policyname from pg_policies
      where schemaname = 'builder' and tablename = ${name} and cmd in ('SELECT', 'ALL')
        and roles && array[${role}, 'public']::name[] order by 1`;
    const policies = await policiesOf(`builder_${one}`);
    expect(policies.length).toBeGreaterThan(0);
    expect([...policies]).toEqual([...(await policiesOf(`builder_${other}`))]);
  }
});

/** Columns that every table has: a row's version, of which ETags are made, and what tells an upsert which rows are new. */
const hidden = ['xmin', 'xmax'];
const toGrant =
  'Put what is missing into the grants of sql/code/access.sql, or of quote-columns.sql: who reads columns also reads xmin, the version in ETags, and xmax, by which an upsert knows new rows.';

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
    const row = {
      ...(await newRowOfQuote(sql, collection, randomUUID())),
      ...beyondRequired[table],
      ...only,
      [column]: value,
    };
    await insert(sql, table, row);
    await sql`delete from builder.${sql(table)}`;
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
}
