/** `npm test` where Node, npm and a shell are, and nothing else. */
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type Ending, startCommand } from '../local/program.ts';
import { longTest } from './full-size.ts';
import { locate, packagesOf, programs, type Tag } from './programs.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';
import { use } from './use.ts';

const directory = use(makeTemporaryDirectory, 'remove');
let path: string;
beforeAll(async () => {
  path = join(directory.path, 'bin');
  await mkdir(path);
  for (const name of ['node', 'npm', 'sh']) {
    await symlink(locate([name]) ?? '', join(path, name));
  }
});

/** Runs some files, each named by a part of its path. */
function runTests(files: string[], env: Record<string, string> = {}): Promise<Ending> {
  const outer = Object.keys(process.env).filter(name => /^VITEST|^(CI|CHROMIUM|FULL_SIZE)$/.test(name));
  const unset = Object.fromEntries(outer.map(name => [name, undefined]));
  const bare = { ...unset, PATH: path, ...env };
  return startCommand(process.execPath, [join(path, 'npm'), 'test', '--', ...files], { env: bare }).ended;
}

const lineOf = (tags: Tag[]): RegExp =>
  new RegExp(
    `\\n\\d+ tests were left out\\. Missing: ${tags.map(tag => programs[tag].title).join(', ')}\\. ` +
      `To install: apt-get install ${packagesOf(tags)}\\n$`,
  );

it('tests of a program that is missing fail the run with CI=true', { timeout: 120_000 }, async () => {
  const { code, stdout, stderr } = await runTests(['test/clients/httpie'], { CI: 'true', FULL_SIZE: '1' });
  expect(stdout).toMatch(lineOf(['httpie']));
  expect(stderr).toBe('With CI=true no test may be left out.\n');
  expect(code).toBe(1);
});

longTest('tests of programs that are missing are left out, and the last line says which', async () => {
  const ofEach = [
    'delivery/exim',
    'faults/poolers',
    'clients/httpie',
    'readme.service',
    'reference/reference',
  ];
  const files = ofEach.map(file => `test/${file}`);
  const { code, stdout, stderr } = await runTests(files, { FULL_SIZE: '1' });
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/Tests .*\d passed/);
  expect(stdout).toMatch(lineOf(Object.keys(programs) as Tag[]));
});
