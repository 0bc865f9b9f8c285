/** The user that Postgres runs as where root starts it. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { startPostgres } from '../../functions/local/postgres.ts';
import { postgresUser } from '../../functions/local/run-as.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';

const directory = use(makeTemporaryDirectory, 'remove');
afterEach(() => vi.unstubAllEnvs());

/** Puts a program in the place of the system's, for which `$0.made` stands for the user. */
async function replace(name: string, script: string): Promise<void> {
  const path = join(directory.path, name);
  await writeFile(path, `#!/bin/sh\nuser="$(dirname "$0")/made"\n${script}\n`);
  await chmod(path, 0o755);
}

it('the user postgres is created once, however many programs want it at the same time', async () => {
  await replace('id', '[ -e "$user" ] || exit 1; [ "$1" = -u ] && echo 71 || echo 72');
  // As useradd does, it fails while another one runs.
  await replace('useradd', 'mkdir "$user.lock" || exit 1; sleep 0.3; echo >> "$user"');
  vi.stubEnv('PATH', `${directory.path}:${process.env['PATH']}`);
  const users = await Promise.all(Array.from({ length: 5 }, postgresUser));
  expect(users).toEqual(Array(5).fill({ uid: 71, gid: 72 }));
});

it('Postgres does not start on the data of another user', async () => {
  await expect(startPostgres({ directory: '/usr/lib', password: 'x' })).rejects.toThrow(
    /^The database in \/usr\/lib belongs to another user \(0\): run this as the user who created it/,
  );
});
