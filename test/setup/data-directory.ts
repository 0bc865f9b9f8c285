/** Copies of Postgres's data directories, for servers that need no time to be made. */
import { execFile } from 'node:child_process';
import { chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemEnv } from '../../functions/local/run-as.ts';
import { asOwner } from './as-owner.ts';

const execute = promisify(execFile);

/** Copies that of a server that is stopped, so that its files are whole. */
export async function copyStopped(from: string, to: string): Promise<void> {
  await execute('cp', ['-a', from, to], { env: systemEnv() });
}

/** Copies that of a running server, for a standby: "Making a Base Backup Using the Low Level API" in Postgres's manual. */
export async function copyForStandby(url: string, from: string, to: string): Promise<void> {
  await asOwner(url, async sql => {
    await sql`select pg_backup_start('standby', fast => true)`;
    await copyWithoutLog(from, to);
    const [row] = await sql<{ label: string }[]>`
      select labelfile as label from pg_backup_stop(wait_for_archive => false)`;
    await addFile(to, 'backup_label', row?.label ?? '');
    await addFile(to, 'standby.signal', '');
  });
}

async function copyWithoutLog(from: string, to: string): Promise<void> {
  await makeLike(from, to);
  const others = ['!', '-name', 'postmaster.*', '!', '-name', 'pg_wal', '!', '-name', 'pg_replslot'];
  const copying = ['-exec', 'cp', '-a', '-t', to, '{}', '+'];
  await execute('find', [from, '-mindepth', '1', '-maxdepth', '1', ...others, ...copying], {
    env: systemEnv(),
  });
  await Promise.all(['pg_wal', 'pg_replslot'].map(name => makeLike(join(from, name), join(to, name))));
}

async function makeLike(model: string, path: string): Promise<void> {
  const { uid, gid } = await stat(model);
  await mkdir(path, { mode: 0o700 });
  await chown(path, uid, gid);
}

async function addFile(directory: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(directory);
  await writeFile(join(directory, name), text);
  await chown(join(directory, name), uid, gid);
}
