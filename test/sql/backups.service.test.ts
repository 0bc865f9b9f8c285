/**
 * The commands of sql/README.md that restore and rehearse, as they are printed, on Postgres 15: a pg_dump is as old as its server.
 * @module-tag full
 * @module-tag bash
 * @module-tag pg_dump
 */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PostgresServer } from '../../functions/local/postgres.ts';
import { loginUrl } from '../../sql/login-passwords.ts';
import { migrate } from '../../sql/migrate.ts';
import { type Ending, startCommand } from '../local/program.ts';
import { root } from '../setup/files.ts';
import { startTestPostgres } from '../setup/postgres.ts';
import { blocksOf } from '../setup/readmes.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { insert } from './roles.ts';

const blocks = blocksOf('bash', 'sql/README.md').map(({ text }) => text);
const restoring = blocks.find(text => text.includes('--restored')) ?? '';
const rehearsing = blocks.find(text => text.includes('createdb')) ?? '';
/** The commands of each number, without the smoke test, which needs a deployment. */
const steps = restoring.split(/^# \d\. .*\n/m).slice(1, -1);

const directory = use(makeTemporaryDirectory, 'remove');
let server: PostgresServer;
let sql: Sql;
let url: string;
beforeAll(async () => {
  server = await startTestPostgres({ directory: `${directory.path}/postgres`, password: 'owner' }, 15);
  url = server.url('postgres');
  sql = postgres(url, { max: 1, onnotice: () => {} });
  await migrate(sql, 'kept');
});
afterAll(async () => {
  await sql.end({ timeout: 5 });
  await server.stop();
});

/** Runs shell commands where dumps are written, with npm's programs of this checkout. */
async function run(...commands: string[]): Promise<Ending> {
  const npm = `npm() { (cd '${root}' && command npm --silent "$@"); }`;
  const env = { DATABASE_URL: url, RESTORED: server.url('restored'), API_DATABASE_PASSWORD: 'kept' };
  const ended = await startCommand('bash', ['-c', [npm, 'set -euo pipefail', ...commands].join('\n')], {
    directory: directory.path,
    env,
  }).ended;
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  return ended;
}

const dumping = 'pg_dump -Fc --schema=builder --file=builder.dump "$DATABASE_URL"';
const ids = async () => (await sql`select id from builder.quotes order by id`).map(({ id }) => id);

it.each<[order: string, indices: number[]]>([
  ['in order', [0, 1, 2, 3, 4]],
  ['in order, twice', [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]],
  ['in the wrong order, and then again', [4, 3, 2, 0, 1, 0, 1, 2, 3, 4]],
])('a restore by the list of the guide %s has the rows of the backup, and works', async (_, indices) => {
  expect(steps).toHaveLength(5);
  const account = randomUUID();
  await insert(sql, 'quotes', aQuote(account, { status: 'submitted' }));
  const before = await ids();
  await run(dumping);
  await insert(sql, 'quotes', aQuote(account));
  await run(...indices.map(index => steps[index] ?? ''));
  expect(await ids()).toEqual(before);
  const jobs = postgres(loginUrl(url, 'builder_jobs', 'kept'), { max: 1 });
  expect(await jobs`select late_call from builder.delivery_status(true)`).toEqual([{ late_call: false }]);
  await jobs.end();
  const last = await insert(sql, 'notifications', aNotification(account));
  expect(Number(last)).toBeGreaterThan(1_000_000);
});

it('a restore of a damaged backup changes nothing', async () => {
  await run(dumping, 'head -c 20000 builder.dump > cut && mv cut builder.dump');
  const before = await ids();
  await run(`if ${steps[2]?.trim()}; then exit 1; fi`);
  expect(await ids()).toEqual(before);
});

it('the rehearsal of the guide finds no difference but what --copy changes', async () => {
  await sql`insert into builder.webhooks (url, secrets) values ('https://erp.test/', '{whsec_x}')`;
  const { stdout } = await run(rehearsing.replace(/^diff .*$/m, '$& || true'));
  const lines = stdout.split('\n').filter(line => /^[<>]/.test(line));
  // The webhook and what waited, before and after.
  expect(lines.filter(line => !/copied database|https:..erp|\twaiting\t/.test(line))).toEqual([]);
  expect(lines).toContainEqual(expect.stringContaining('copied database'));
});
