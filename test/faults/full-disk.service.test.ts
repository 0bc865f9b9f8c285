/**
 * A full disk of the database (SQLSTATE 53100), and a database that only reads, as responses, the log and /health say. For rows, a
 * trigger raises what Postgres raises where a file can't grow.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { asOwner } from '../setup/as-owner.ts';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { useCallers } from '../setup/wire.ts';

const service = useService();
const { staff } = useCallers(service);
beforeAll(async () => {
  await staff.send('POST', '/graphics', aGraphic());
});

/** Until the test has ended, every write to a table fails as on a full disk. */
async function fillDiskOf(table: string): Promise<void> {
  await service.sql.unsafe(`
    create function builder.fill_disk() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file "base/16384/16400": No space left on device' using errcode = '53100';
    end $$;
    create trigger fill_disk before insert or update or delete on builder.${table}
      for each statement execute function builder.fill_disk()`);
  onTestFinished(async () => void (await service.sql.unsafe('drop function builder.fill_disk() cascade')));
}

it('writes with a full disk fail, as the response and the log say, while rows are read', async () => {
  await fillDiskOf('graphics');
  const requestId = randomUUID();
  const failed = await staff.send('POST', '/graphics', aGraphic(), { 'x-request-id': requestId });
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '1']);
  expect(failed.body).toEqual({
    code: '53100',
    message: 'The disk of the database is full, so nothing was written',
    details: null,
    hint: expect.stringContaining('reads still work'),
  });
  const find = () => service.logs.find(line => line.includes(requestId)) ?? '{}';
  const logged = { status: 503, code: '53100', reason: 'the disk of the database is full' };
  await expect.poll(() => JSON.parse(find())).toMatchObject(logged);
  expect((await staff.get('/graphics')).body).toHaveLength(1);
});

/** Sets a setting of the database until the test has ended, also for the connections that it has. */
async function setUntilEnd(setting: string, value: string): Promise<void> {
  const change = (text: string) =>
    asOwner(service.database.ownerUrl, async sql => {
      await sql`set default_transaction_read_only = off`;
      await sql.unsafe(`alter database ${new URL(service.database.ownerUrl).pathname.slice(1)} ${text}`);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and usename like 'builder_%'`;
    });
  await change(`set ${setting} = ${value}`);
  onTestFinished(async () => void (await change(`reset ${setting}`)));
}

describe('/health is 503, and the log says why, when', () => {
  /** The status of /health, and the reason in its log line. */
  async function check(): Promise<unknown> {
    const requestId = randomUUID();
    const { status } = await service.fetch('/health', { headers: { 'x-request-id': requestId } });
    if (status === 200) {
      return status;
    }
    const find = () => service.logs.find(line => line.includes(requestId)) ?? '{}';
    await expect.poll(find).not.toBe('{}');
    return [status, JSON.parse(find())['reason']];
  }

  it('a row cannot be written', async () => {
    expect(await check()).toBe(200);
    await fillDiskOf('sweeps');
    expect(await check()).toEqual([503, 'the disk of the database is full']);
  });

  it('the database has become read-only', async () => {
    await setUntilEnd('default_transaction_read_only', 'on');
    expect(await check()).toEqual([503, '25006']);
  });

  it('the disk is full, although the row still finds room', { tags: ['full'] }, async () => {
    const disk = await makeTemporaryDirectory();
    const tablespace = `full_${randomUUID().replaceAll('-', '')}`;
    const [{ data } = {}] = await service.sql`select current_setting('data_directory') as data`;
    const options = `size=256k,uid=${statSync(data).uid},mode=700`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', disk.path]);
    onTestFinished(async () => {
      execFileSync('umount', [disk.path]);
      await disk.remove();
    });
    await service.sql.unsafe(`create tablespace ${tablespace} location '${disk.path}'`);
    onTestFinished(async () => void (await service.sql.unsafe(`drop tablespace ${tablespace}`)));
    await setUntilEnd('temp_tablespaces', tablespace);
    expect(await check()).toBe(200);
    const file = openSync(join(disk.path, 'fill'), 'w');
    expect(() => Array.from({ length: 300 }, () => writeSync(file, Buffer.alloc(1024)))).toThrow('ENOSPC');
    closeSync(file);
    expect(await check()).toEqual([503, 'the disk of the database is full']);
  });
});
