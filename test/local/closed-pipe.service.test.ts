/** The developer's programs end quietly when the reader of their output closes the pipe, as `head` does. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { root } from '../setup/files.ts';
import { aNotification } from '../setup/rows.ts';
import { startCommand } from './program.ts';

const database = useDatabase();
const account = randomUUID();

/** Runs a program whose output goes to `reader`, and returns its exit code and what it and the shell said of an error. */
async function runInto(reader: string, program: string, ...args: string[]): Promise<string> {
  const command = [process.execPath, '--import', 'tsx', program, ...args].map(word => `'${word}'`).join(' ');
  const script = `{ ${command}; echo "ended with $?" >&2; } | ${reader}`;
  const { ended } = startCommand('sh', ['-c', script], {
    directory: root,
    env: { DATABASE_URL: database.ownerUrl, PORT: '0' },
  });
  return (await ended).stderr;
}

it('npm run webhook -- list ends quietly when nobody reads its output', async () => {
  expect(await runInto('true', 'functions/operate/webhook.ts', 'list')).toBe('ended with 0\n');
});

it('npm run account -- export ends quietly in the middle of many rows', async () => {
  const rows = Array.from({ length: 500 }, () => aNotification(account, { body: 'x'.repeat(1000) }));
  await database.sql`insert into builder.notifications ${database.sql(rows as never)}`;
  expect(await runInto('head -c 1000 > /dev/null', 'functions/operate/account.ts', 'export', account)).toBe(
    'ended with 0\n',
  );
});

it.runIf(process.platform === 'linux')(
  'output that a full disk refuses is reported in a sentence',
  async () => {
    const script = `exec '${process.execPath}' --import tsx functions/operate/account.ts export ${account} > /dev/full`;
    const { ended } = startCommand('sh', ['-c', script], { env: { DATABASE_URL: database.ownerUrl } });
    const stderr = expect.stringMatching(/^The output cannot be written: ENOSPC.+\n$/);
    expect(await ended).toMatchObject({ code: 1, stderr });
  },
);
