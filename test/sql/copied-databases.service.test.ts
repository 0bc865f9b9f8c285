/** A database that was copied or restored does not act as its original, and repeats none of its ids for another event. */
import { randomBytes, randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { loginUrl } from '../../sql/login-passwords.ts';
import { startCommand } from '../local/program.ts';
import { asOwner } from '../setup/as-owner.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { insert, update } from './roles.ts';

const { ownerUrl, template } = inject('postgres');
const urlOf = (name: string) => Object.assign(new URL(ownerUrl), { pathname: name }).href;

let names: [original: string, copy: string];
/** What both have: a webhook, and a quote of which a call and two e-mails wait. */
let webhook: string;
let quote: string;
let original: Sql;
let copy: Sql;
beforeEach(async () => {
  const id = randomBytes(6).toString('hex');
  names = [`original_${id}`, `copy_${id}`];
  const create = (name: string, from: string) =>
    asOwner(ownerUrl, server => server.unsafe(`create database ${name} template ${from}`));
  await create(names[0], template);
  await asOwner(urlOf(names[0]), async sql => {
    const account = randomUUID();
    webhook = await insert(sql, 'webhooks', { url: 'https://erp.test/hook', secrets: ['whsec_x'] });
    quote = await insert(sql, 'quotes', aQuote(account, { status: 'submitted', contact_email: 'a@b.test' }));
    await insert(sql, 'notifications', aNotification(account, { channel: 'email' }));
  });
  await create(names[1], names[0]);
  [original, copy] = names.map(name => postgres(urlOf(name), { max: 1, onnotice: () => {} })) as [Sql, Sql];
});
afterEach(async () => {
  await Promise.all([original.end(), copy.end()]);
  for (const name of names) {
    await asOwner(ownerUrl, server => server.unsafe(`drop database ${name} with (force)`));
  }
});

/** Runs `npm run migrate` on the copy, and returns its code and what it says after what it applied. */
const migrateCopy = (...args: string[]) => migrateWith('', ...args);

async function migrateWith(
  password: string,
  ...args: string[]
): Promise<[code: number | null, lines: string[]]> {
  const env = { DATABASE_URL: urlOf(names[1]), API_DATABASE_PASSWORD: password };
  const { ended } = startCommand(process.execPath, ['--import', 'tsx', 'sql/run-migrate.ts', ...args], {
    env,
  });
  const { code, stdout, stderr } = await ended;
  return [code, `${stdout}${stderr}`.trim().split('\n')];
}

interface Claimed {
  kind: string;
  id: string;
  claim: number;
}

/** Makes every delivery due, and claims them. */
async function claim(sql: Sql): Promise<Claimed[]> {
  await sql`update builder.deliveries set due_at = now() where due_at is not null`;
  return [
    ...(await sql<
      Claimed[]
    >`select 'call' as kind, message_id as id, claim from builder.claim_calls(20) order by id`),
    ...(await sql<Claimed[]>`
      select 'mail' as kind, message_id as id, claim from builder.claim_emails(20, 100, 'desk@builder.test') order by id`),
  ];
}
const idsOf = (claimed: Claimed[]) => claimed.map(({ id }) => id);
const move = (sql: Sql, status: string) => update(sql, 'quotes', quote, { status });
const states = (sql: Sql) => sql`select distinct state, reason from builder.deliveries`;
const sequences = async (sql: Sql) =>
  Object.fromEntries(
    (
      await sql`
        select sequencename as name, coalesce(last_value, 0)::integer as last from pg_sequences where schemaname = 'builder'`
    ).map(({ name, last }) => [name, last]),
  );
const isEnabled = async () =>
  (await copy`select disabled_at is null as enabled from builder.webhooks`)[0]?.['enabled'];

describe('a database that was restored in place of its original', () => {
  it('sends what waited with the same ids, and other events with others, also where nobody ran --restored', async () => {
    const before = idsOf(await claim(original));
    await Promise.all([move(original, 'cancelled'), move(copy, 'rejected')]);
    const lost = idsOf(await claim(original));
    const sent = idsOf(await claim(copy));
    expect(sent).toEqual(expect.arrayContaining(before));
    expect(sent.length).toBeGreaterThan(before.length);
    expect(sent.filter(id => lost.includes(id) && !before.includes(id))).toEqual([]);
    const numbers = (sql: Sql) => sql`select max(id) from builder.deliveries`;
    expect(await numbers(copy)).toEqual(await numbers(original));
  });

  it('settles nothing by the claim of a row that was lost', async () => {
    await move(original, 'cancelled');
    const claimed = await claim(original);
    await move(copy, 'rejected');
    const again = await claim(copy);
    const lost = claimed.filter(({ id }) => !idsOf(again).includes(id));
    expect(lost).not.toEqual([]);
    const before = await copy`select * from builder.deliveries order by id`;
    for (const { id, claim: number } of lost) {
      expect(await copy`select * from builder.settle(${id}, ${number}, 'sent', null, null)`).toEqual([]);
    }
    expect(await copy`select * from builder.deliveries order by id`).toEqual(before);
  });
});

describe('npm run migrate -- --restored', () => {
  it('moves each sequence on by a million, and keeps the webhooks, what waits and the feed', async () => {
    const [before, lines] = [
      await sequences(copy),
      await copy`select xid, id from builder.changes order by id`,
    ];
    const [code, said] = await migrateCopy('--restored');
    expect([code, said[1]]).toEqual([
      0,
      'The sequences have moved on by a million, past the numbers that were lost.',
    ]);
    const moved = Object.entries<number>(before).map(([name, last]) => [name, last + 1_000_000]);
    expect(await sequences(copy)).toEqual(Object.fromEntries(moved));
    expect(await copy`select xid, id from builder.changes order by id`).toEqual(lines);
    expect(await isEnabled()).toBe(true);
    expect(idsOf(await claim(copy))).toEqual(idsOf(await claim(original)));
  });
});

it('npm run migrate -- --restored with another password than that of the logins changes nothing, and says what to do', async () => {
  const before = await sequences(copy);
  const [code, said] = await migrateWith('another', '--restored');
  expect([code, said]).toEqual([
    1,
    [
      expect.stringMatching(
        /^The migration failed and changed nothing: .* is not the password of builder_api, builder_jobs, .*--reset-password, .* another one\.$/,
      ),
    ],
  ]);
  expect(await sequences(copy)).toEqual(before);
});

describe('npm run migrate -- --copy', () => {
  it('without --yes says which database it is, what would change and who uses it, and changes nothing', async () => {
    const user = postgres(loginUrl(urlOf(names[1]), 'builder_jobs', inject('postgres').loginPassword), {
      max: 1,
    });
    await user`select 1`;
    const before = idsOf(await claim(copy));
    const [code, lines] = await migrateCopy('--copy');
    await user.end();
    const { hostname, port, username } = new URL(ownerUrl);
    expect([code, lines]).toEqual([
      1,
      [
        `The database ${names[1]} at ${hostname}:${port}, as ${username}:`,
        '  webhooks to disable: 1',
        '  deliveries to skip for good: 3',
        '  connections of the service: 1',
        'Nothing was changed. If this is the copy and not its original, run it again with --yes.',
      ],
    ]);
    expect(await isEnabled()).toBe(true);
    await copy`update builder.deliveries set state = 'waiting'`;
    expect(idsOf(await claim(copy))).toEqual(before);
  });

  it('disables the webhooks and skips what waits, also after it ran before', async () => {
    const [code, lines] = await migrateCopy('--copy', '--yes');
    expect([code, lines[1]]).toEqual([0, 'Webhooks disabled: 1. Deliveries skipped: 3.']);
    expect(await isEnabled()).toBe(false);
    expect(await states(copy)).toEqual([{ state: 'skipped', reason: 'copied database' }]);
    expect((await migrateCopy('--copy', '--yes'))[1][1]).toContain(
      'Webhooks disabled: 0. Deliveries skipped: 0.',
    );
    await move(copy, 'cancelled');
    expect((await claim(copy)).filter(({ kind }) => kind === 'call')).toEqual([]);
  });

  it('gives later events other ids than the original’s, also when its webhooks are enabled again', async () => {
    await migrateCopy('--copy', '--yes');
    await copy`update builder.webhooks set disabled_at = null where id = ${webhook}`;
    await Promise.all([move(original, 'cancelled'), move(copy, 'cancelled')]);
    const used = idsOf(await claim(original));
    const sent = await claim(copy);
    expect(sent.map(({ kind }) => kind)).toContain('call');
    expect(idsOf(sent).filter(id => used.includes(id))).toEqual([]);
  });
});

it('npm run migrate alone changes neither the sequences nor what waits', async () => {
  await migrateCopy();
  expect(await sequences(copy)).toEqual(await sequences(original));
  expect(idsOf(await claim(copy))).toEqual(idsOf(await claim(original)));
});

it('--copy with --restored is refused, and changes nothing', async () => {
  const [code, lines] = await migrateCopy('--copy', '--restored');
  expect([code, lines]).toEqual([
    1,
    [
      expect.stringMatching(
        /^--copy is for a copy .*, --restored for one in its place: give one of them\. Usage: /,
      ),
    ],
  ]);
  expect(idsOf(await claim(copy))).toEqual(idsOf(await claim(original)));
});

it.each([
  '--copy',
  '--restored',
])('%s is refused on an empty database, since what is restored later undoes it', async flag => {
  await copy`drop schema builder cascade`;
  const [code, lines] = await migrateCopy(flag);
  const refusal = `${flag} is for a database with restored rows, and this one is empty: restore the backup first.`;
  expect([code, lines]).toEqual([1, [`The migration failed and changed nothing: ${refusal}`]]);
});
