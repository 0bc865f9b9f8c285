/** A PgBouncer before a Postgres, which tests kill and start. https://www.pgbouncer.org/config.html */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loopback } from '../../../functions/local/port.ts';
import { chooseRunAs } from '../../../functions/local/run-as.ts';
import type { TestDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import { pathOf } from '../programs.ts';
import { makeTemporaryDirectory } from '../temporary-directory.ts';
import { untilOpen } from '../until-open.ts';

const usualSettings: PgBouncerOptions['settings'] = {
  auth_type: 'scram-sha-256',
  // The pool's ten connections, and one for each concurrent request of the tests.
  default_pool_size: 30,
  max_client_conn: 200,
  // Seconds before it asks a Postgres again that was away: what makes it possible that good answers are back within 2 s.
  // When not set it is 15, and they take as long.
  server_login_retry: 0.2,
};

const always = { server_reset_query: 'RESET ALL', server_reset_query_always: 1 };
/** A connection for each transaction, reset after each, as Hyperdrive is documented to pool. */
export const asHyperdrive = { ...always, max_client_conn: 1000 };

export interface PgBouncerOptions {
  database: Pick<TestDatabase, 'ownerUrl' | 'apiUrl' | 'jobsUrl'>;
  /** Further settings, in place of the usual ones. */
  settings?: Record<string, string | number>;
}

export async function startPgBouncer({ database, settings }: PgBouncerOptions) {
  const program = pathOf('pgbouncer');
  const temporary = await makeTemporaryDirectory();
  const as = await chooseRunAs(program, temporary.path);
  const port = await freePort();
  const file = async (name: string, lines: string[]): Promise<string> => {
    const path = join(temporary.path, name);
    await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    if (as.ids.uid !== undefined && as.ids.gid !== undefined) {
      await chown(path, as.ids.uid, as.ids.gid);
    }
    return path;
  };
  const logins = [database.apiUrl, database.jobsUrl].map(url => new URL(url));
  const lines = logins.map(({ username, password }) => `"${username}" "${password}"`);
  const users = await file('users.txt', lines);
  const configuration = await file('pgbouncer.ini', [
    '[databases]',
    `* = host=${loopback} port=${new URL(database.ownerUrl).port}`,
    '[pgbouncer]',
    `listen_addr = ${loopback}`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    ...Object.entries({ ...usualSettings, ...settings }).map(pair => pair.join(' = ')),
  ]);

  function launch() {
    const [command = '', ...args] = [...as.prefix, program, configuration];
    return spawn(command, args, { ...as.options, stdio: 'ignore' });
  }
  let running = launch();
  await untilOpen(port);
  const kill = async () => {
    if (running.exitCode === null && running.signalCode === null) {
      running.kill('SIGKILL');
      await once(running, 'exit');
    }
  };
  return {
    port,
    kill,
    /** Resolves when it accepts connections, on the same port as before. */
    async start() {
      running = launch();
      await untilOpen(port);
    },
    async remove() {
      await kill();
      await temporary.remove();
    },
  };
}
