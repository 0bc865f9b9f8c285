/**
 * Writes what later versions are tested with: `npx tsx test/sql/upgrade/record.ts`, at each release. It needs pg_dump 15.
 *
 *   release.json   the hashes of the files of sql/
 *   database.sql   a dump of a database of this version, on Postgres 15
 *   messages.json  what this version's workers send to it
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { loginUrl } from '../../../sql/login-passwords.ts';
import { migrate } from '../../../sql/migrate.ts';
import { installPackages } from '../../install.ts';
import { startTestPostgres } from '../../setup/postgres.ts';
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts';
import { recordMessages } from './messages.ts';
import { here, releaseOfFiles } from './release.ts';
import { insertRows } from './rows.ts';

const password = 'not kept';
/** As text, which a driver can load: without what only psql knows, and what the server that loads it decides. */
const dumpOptions = ['--schema=builder', '--inserts', '--no-owner'];
const onlyForPsql = /^(?:\\(?:un)?restrict .*|SET transaction_timeout .*)\n/gm;

await installPackages();
const directory = await makeTemporaryDirectory();
const options = { directory: join(directory.path, 'postgres'), password, settings: ['fsync=off'] };
const server = await startTestPostgres(options, 15);
const url = server.url('postgres');
const connectTo = (address: string) => postgres(address, { max: 1, onnotice: () => {} });
const sql = connectTo(url);
const logins = {
  api: connectTo(loginUrl(url, 'builder_api', password)),
  jobs: connectTo(loginUrl(url, 'builder_jobs', password)),
};
try {
  await migrate(sql, password);
  await insertRows(sql);
  const messages = await recordMessages(logins);
  const { stdout } = await promisify(execFile)('pg_dump', [...dumpOptions, url], { maxBuffer: 1 << 28 });
  await writeFile(here('database.sql'), stdout.replace(onlyForPsql, ''));
  await writeFile(here('messages.json'), `[\n${messages.map(one => JSON.stringify(one)).join(',\n')}\n]\n`);
  await writeFile(here('release.json'), `${JSON.stringify(releaseOfFiles(), null, 2)}\n`);
  console.log(`Recorded release ${releaseOfFiles().number}, with ${messages.length} messages.`);
} finally {
  await Promise.all([sql, logins.api, logins.jobs].map(each => each.end()));
  await server.stop();
  await directory.remove();
}
