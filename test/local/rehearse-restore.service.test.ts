import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../sql/migrate.ts';
import { checkCallers } from '../../sql/rehearsal/callers.ts';
import { atOneMoment, readContents } from '../../sql/rehearsal/contents.ts';
import { compare, readPrivileges, readStructure } from '../../sql/rehearsal/definition.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { sample } from '../setup/full-size.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { insert } from '../sql/roles.ts';
import { runProgram } from './program.ts';

let source: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  source = await createCopy();
  sql = source.sql;
});
afterEach(() => source.drop());

/** A database with the demo rows. */
async function createCopy(): Promise<TestDatabase> {
  const copy = await createDatabase();
  await migrate(copy.sql);
  await copy.sql.unsafe(await readFile(new URL('../../sql/demo.sql', import.meta.url), 'utf8'));
  return copy;
}

const rehearse = (env: Record<string, string> = {}) =>
  runProgram('rehearse-restore', [], { DATABASE_URL: source.ownerUrl, RESTORED_DATABASE_URL: '', ...env });

const scratchDatabases = () => sql`select from pg_database where datname like 'rehearsal\\_%'`;

/** The name of each step, and the sentence at the end. */
const told = (stdout: string): string[] =>
  stdout
    .trim()
    .split('\n')
    .map(line => line.replace(/ +\d+ ms .*/, ''));

describe('npm run rehearse-restore', () => {
  it('restores everything into a scratch database during writes, and leaves nothing behind', async () => {
    const account = randomUUID();
    const strange = 'tab\t, line\r\n, \\N, \\., \b, "quotes\'", ñ, 日本, 😀, ';
    await insert(
      sql,
      'quotes',
      aQuote(account, {
        customer_notes: strange,
        company: '',
        customization: { [strange]: [1e30, 1.5, null] },
      }),
    );
    await sql`
      update builder.quotes set unit_price = 12345678901234567890.10, submitted_at = 'infinity', created_at = '0044-03-15 12:00:00.123456 BC'
      where account_id = ${account}`;
    await insert(sql, 'notifications', aNotification(account, { id: '123456789012' }));
    await sql`insert into builder.idempotency_keys (caller, key, fingerprint, answer) values ('a', 'k', 'f', '{"body" : "1.50"}')`;
    await sql`
      insert into builder.graphics (name, code, file_url, file_format, description, tags)
      select 'many', 'MANY-' || n, 'https://a.test', 'svg', repeat('x', 1000), array[${strange}, null, ''] from generate_series(1, 5000) n`;
    let going = true;
    const writing = (async () => {
      while (going) {
        await insert(sql, 'notifications', aNotification(account));
        await pause(10);
      }
    })();
    const { code, stdout, stderr } = await rehearse();
    going = false;
    await writing;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(told(stdout)).toEqual([
      ...['dump', 'create', 'migrate', 'structure', 'privileges', 'load', 'contents', 'callers', 'drop'],
      'The restored database is correct.',
    ]);
    expect(stdout).toMatch(/contents .* graphics 5008, idempotency_keys 1, .*quotes 7[,\n]/);
    expect(await scratchDatabases()).toHaveLength(0);
  });

  it('exits with 1 when the database differs from its migrations, and leaves nothing behind either', async () => {
    await sql`grant select on builder.migrations to builder_anon`;
    const { code, stderr } = await rehearse();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'The restored database differs (privileges):\n  missing  table builder.migrations: builder_anon select\n',
    });
    expect(await scratchDatabases()).toHaveLength(0);
  });

  it('works for an owner who is no superuser', async () => {
    const roles = 'builder_anon, builder_customer, builder_staff, builder_live, builder_api, builder_sweeper';
    const owner = `owner_${randomBytes(6).toString('hex')}`;
    const server = postgres(inject('postgres').ownerUrl, { max: 1, onnotice: () => {} });
    const url = new URL(inject('postgres').ownerUrl);
    await server.unsafe(`create role ${owner} login createrole createdb password '${url.password}'`);
    await server.unsafe(`grant ${roles} to ${owner} with admin option, set false, inherit false`);
    await server.unsafe(`create database ${owner} owner ${owner}`);
    const ownerUrl = Object.assign(url, { username: owner, pathname: owner }).href;
    const asOwner = postgres(ownerUrl, { max: 1, onnotice: () => {} });
    try {
      await migrate(asOwner);
      await insert(asOwner, 'quotes', aQuote(randomUUID()));
      const { code, stderr } = await rehearse({ DATABASE_URL: ownerUrl });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    } finally {
      await asOwner.end({ timeout: 5 });
      await server.unsafe(`drop database ${owner} with (force)`);
      await server.unsafe(`revoke ${roles} from ${owner} cascade; drop role ${owner}`);
      await server.end();
    }
  });

  it('reports a missing setting in one line', async () => {
    const { code, stderr } = await rehearse({ DATABASE_URL: '' });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'DATABASE_URL is not set: it is the connection of the database owner.\n',
    });
  });
});

describe('npm run rehearse-restore with a copy that was restored in another way', () => {
  const compareWith = (copy: TestDatabase) => rehearse({ RESTORED_DATABASE_URL: copy.ownerUrl });

  it('accepts it, also when the source has changed since', async () => {
    const copy = await createCopy();
    await sql`delete from builder.notifications where dismissed`;
    const { code, stdout, stderr } = await compareWith(copy);
    await copy.drop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(told(stdout)).toEqual([
      ...['structure', 'privileges', 'source', 'restored', 'callers'],
      'The restored database is correct.',
    ]);
  });

  it('reports a table that is lost', async () => {
    const copy = await createCopy();
    await copy.sql`truncate builder.graphics`;
    const { code, stderr } = await compareWith(copy);
    await copy.drop();
    expect(code).toBe(1);
    expect(stderr).toMatch(/differs \(rows\):\n {2}missing {2}all of graphics, which has 8 rows\n$/);
  });
});

describe('the comparison', () => {
  let copy: TestDatabase;
  beforeEach(async () => {
    copy = await createCopy();
  });
  afterEach(() => copy.drop());

  it.each(
    sample(1, [
      ['alter table builder.quotes add column mine int', 'more     column builder.quotes.mine (43) integer'],
      ['drop index builder.quotes_that_can_expire', 'missing  CREATE INDEX quotes_that_can_expire ON '],
      ['alter table builder.quotes disable trigger rules', 'more     CREATE TRIGGER rules '],
      [
        'alter table builder.quotes drop constraint quotes_pkey',
        'missing  constraint of builder.quotes: quotes_pkey ',
      ],
      ["update builder.migrations set md5 = 'x' where version = 3", 'more     migration 3 x'],
      ['alter function builder.key_owner() volatile', 'more     function builder.key_owner() '],
    ]),
  )('covers the structure: %s', async (change, line) => {
    expect(compare(await readStructure(sql), await readStructure(copy.sql))).toEqual([]);
    await copy.sql.unsafe(change);
    const differences = compare(await readStructure(sql), await readStructure(copy.sql));
    expect(differences).toContainEqual(expect.stringContaining(line));
  });

  it.each(
    sample(1, [
      [
        'alter table builder.quotes disable row level security',
        'missing  table builder.quotes: row level security on',
      ],
      [
        'revoke usage on schema builder from builder_sweeper',
        'missing  schema builder: builder_sweeper usage',
      ],
      [
        'alter role builder_api in database %I reset all',
        'missing  role builder_api: in this database search_path=pg_catalog, pg_temp',
      ],
    ]),
  )('covers the privileges: %s', async (change, line) => {
    expect(compare(await readPrivileges(sql), await readPrivileges(copy.sql))).toEqual([]);
    await copy.sql.unsafe(`do $$ begin execute format('${change}', current_database()); end $$`);
    expect(compare(await readPrivileges(sql), await readPrivileges(copy.sql))).toContain(line);
  });

  it.each(
    sample(1, [
      [
        'alter policy customers_use_quotes_of_their_accounts on builder.quotes using (true)',
        'a customer reads the quotes of its account and no others',
      ],
      [
        'alter policy everyone_reads_active_graphics on builder.graphics using (true)',
        'anyone reads the active graphics and no others',
      ],
      ['grant select on builder.quotes to builder_anon', 'nobody reads quotes without an account'],
      ['grant select on builder.quotes to builder_customer', 'a customer reads no internal notes'],
      [
        'drop trigger rules on builder.quotes',
        'a customer writes a draft, submits it and then cannot change its sport',
      ],
      ['alter policy staff_do_everything on builder.quotes using (false)', 'staff read all quotes'],
      [
        "drop trigger step_over_supplied_id on builder.notifications; select setval('builder.notifications_id_seq', 1)",
        'a new notification has an id that no other has',
      ],
      ['revoke execute on function builder.expire_quotes(integer) from builder_sweeper', 'the sweep runs'],
    ]),
  )("covers the callers' access: %s", async (change, rule) => {
    expect(await checkCallers(copy.sql)).toEqual([]);
    await copy.sql.unsafe(change);
    expect(await checkCallers(copy.sql)).toEqual([rule]);
    expect(await copy.sql`select from builder.quotes`).toHaveLength(6);
  });
});

describe('the checksum of a table', () => {
  const read = async () =>
    (await atOneMoment(sql, readContents)).tables.find(({ name }) => name === 'quotes')?.checksum;

  it('does not depend on the order of the rows, and changes with every character', async () => {
    const before = await read();
    await sql`alter table builder.quotes disable trigger user`;
    await sql`update builder.quotes set sport = sport where quote_number = 'QT-2026-00001'`;
    expect(await read()).toBe(before);
    await sql`update builder.quotes set customer_notes = customer_notes || ' ' where customer_notes is not null`;
    expect(await read()).not.toBe(before);
  });
});
