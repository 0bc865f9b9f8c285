/** A database that was copied or restored gets an identity of its own, so that it does not act as its original. */
import { randomBytes, randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
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
async function migrateCopy(...args: string[]): Promise<[code: number | null, lines: string[]]> {
  const env = { DATABASE_URL: urlOf(names[1]), API_DATABASE_PASSWORD: '' };
  const { ended } = startCommand(process.execPath, ['--import', 'tsx', 'sql/run-migrate.ts', ...args], {
    env,
  });
  const { code, stdout, stderr } = await ended;
  return [code, `${stdout}${stderr}`.trim().split('\n')];
}

/** Makes every delivery due, and returns the ids of the calls and e-mails that are claimed. */
async function claim(sql: Sql): Promise<string[]> {
  await sql`update builder.deliveries set due_at = now() where due_at is not null`;
  const calls = await sql`select event ->> 'id' as id from builder.claim_calls(20) order by 1`;
  const mails =
    await sql`select message as id from builder.claim_emails(20, 100, 'desk@builder.test') order by 1`;
  return [...calls, ...mails].map(({ id }) => id);
}
const move = (sql: Sql, status: string) => update(sql, 'quotes', quote, { status });
const states = (sql: Sql) => sql`select distinct state, reason from builder.deliveries`;
const isEnabled = async () =>
  (await copy`select disabled_at is null as enabled from builder.webhooks`)[0]?.['enabled'];

describe('npm run migrate -- --restored', () => {
  it('keeps the webhooks and what waits, and sends nothing with an id that the original has used or will use', async () => {
    const [code, lines] = await migrateCopy('--restored');
    expect([code, lines[1]]).toEqual([0, 'It has a new identity; its webhooks and what waits are kept.']);
    expect(await isEnabled()).toBe(true);
    await Promise.all([move(original, 'cancelled'), move(copy, 'cancelled')]);
    const [used, restored] = [await claim(original), await claim(copy)];
    expect(restored).toHaveLength(used.length);
    expect(restored.filter(id => used.includes(id))).toEqual([]);
    const numbers = (ids: string[]) => ids.map(id => id.replace(/[\da-f]{16}/, ''));
    expect(numbers(restored)).toEqual(numbers(used));
  });
});

describe('npm run migrate -- --copy', () => {
  it('disables the webhooks and skips what waits, also after it ran before', async () => {
    const [identity] = await copy`select value from builder.identity`;
    const [code, lines] = await migrateCopy('--copy');
    expect([code, lines[1]]).toEqual([
      0,
      'It has a new identity. Webhooks disabled: 1. Deliveries skipped: 3.',
    ]);
    expect(await copy`select value from builder.identity`).not.toEqual([identity]);
    expect(await isEnabled()).toBe(false);
    expect(await states(copy)).toEqual([{ state: 'skipped', reason: 'copied database' }]);
    expect((await migrateCopy('--copy'))[1][1]).toContain('Webhooks disabled: 0. Deliveries skipped: 0.');
    await move(copy, 'cancelled');
    expect((await claim(copy)).filter(id => id.startsWith('evt_'))).toEqual([]);
  });

  it('gives a call that is delivered again afterwards another id than the original’s', async () => {
    await migrateCopy('--copy');
    await copy`update builder.webhooks set disabled_at = null where id = ${webhook}`;
    const [call] = await copy`select id from builder.deliveries where kind = 'webhook'`;
    await copy`select builder.redeliver(${call?.['id']})`;
    const [again, ...others] = await claim(copy);
    expect(others).toEqual([]);
    expect(await claim(original)).not.toContain(again);
  });
});

it('npm run migrate alone changes neither the identity nor what waits', async () => {
  await migrateCopy();
  expect(await claim(copy)).toEqual(await claim(original));
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
  expect(await claim(copy)).toEqual(await claim(original));
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
