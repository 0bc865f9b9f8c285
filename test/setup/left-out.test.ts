/**
 * `npm test` where Node, npm and a shell are, and nothing else.
 * @module-tag full
 */
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCommand } from '../local/program.ts';
import { locate } from './programs.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

it('tests whose program is missing are left out, which the last line says and CI=true fails', async () => {
  const directory = await makeTemporaryDirectory();
  const bin = join(directory.path, 'bin');
  await mkdir(bin);
  for (const name of ['node', 'npm', 'sh']) {
    await symlink(locate([name]) ?? '', join(bin, name));
  }
  const outer = Object.keys(process.env).filter(name => /^VITEST|^CHROMIUM$/.test(name));
  const unset = Object.fromEntries(outer.map(name => [name, undefined]));
  const env = { ...unset, PATH: bin, CI: 'true', FULL_SIZE: '1' };
  const run = startCommand(process.execPath, [join(bin, 'npm'), 'test', '--', 'test/delivery/exim'], { env });
  const { code, stdout, stderr } = await run.ended;
  expect(stdout).toMatch(
    /\n1 test was left out\. Missing: Exim\. To install: apt-get install exim4-daemon-light\n$/,
  );
  expect(stderr).toBe('With CI=true no test may be left out.\n');
  expect(code).toBe(1);
  await directory.remove();
});
