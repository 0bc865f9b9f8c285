/**
 * Asks PostgREST for what the cases of cases.json that have no `expect` expect, and writes it there:
 * `POSTGREST=<path of the program> npx tsx test/conformance/record.ts`. A case names its columns, so that a new one does not
 * change its answer.
 *
 * The cases that are there are of PostgREST 16.2, as the service role on the rows of rows.json, in tables without our
 * triggers, and where `code` alone is unique: an upsert on it is what this program can't record.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { startPostgres } from '../../functions/local/postgres.ts';
import { migrate } from '../../sql/migrate.ts';
import { startPostgrest } from '../bench/contestants.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { type Case, cases, loadRows } from './cases.ts';

const loginPassword = 'not kept';

/** Sends a case, and returns it with the answer. */
async function record(recorded: Case, url: string, headers: Record<string, string>): Promise<Case> {
  const { method, path, body } = recorded;
  const response = await fetch(url + path.replaceAll('#', '%23'), {
    method,
    headers: { ...recorded.headers, ...headers },
    ...(body !== undefined && { body }),
  });
  const kept = [...response.headers].filter(([name]) =>
    /^(?:content-(?:type|range|location)|location|preference-applied)$/.test(name),
  );
  const answer = { status: response.status, headers: Object.fromEntries(kept), body: await response.text() };
  return { ...recorded, expect: answer };
}

async function recordAll(sql: Sql, ownerUrl: string, directory: string): Promise<Case[]> {
  await migrate(sql, loginPassword);
  const postgrest = await startPostgrest({ ownerUrl, loginPassword, directory });
  if (postgrest === undefined) {
    throw new Error('POSTGREST is not set: it is the path of the program.');
  }
  const all: Case[] = [];
  for (const one of cases) {
    if (one.expect === undefined) {
      await loadRows(sql);
      all.push(await record(one, postgrest.url, { authorization: `Bearer ${postgrest.tokens.staff[0]}` }));
    } else {
      all.push(one);
    }
  }
  await postgrest.stop();
  return all;
}

const directory = await makeTemporaryDirectory();
const data = join(directory.path, 'postgres');
const server = await startPostgres({ directory: data, password: loginPassword, settings: ['fsync=off'] });
const sql = postgres(server.url('postgres'), { max: 1, onnotice: () => {} });
try {
  const all = await recordAll(sql, server.url('postgres'), directory.path);
  const lines = all.map(one => JSON.stringify(one)).join(',\n');
  await writeFile(new URL('cases.json', import.meta.url), `[\n${lines}\n]\n`);
} finally {
  await sql.end();
  await server.stop();
  await directory.remove();
}
