/** The compiler has no complaint; `npm run check` asks it itself. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './setup/files.ts';
import { isFullSize } from './setup/full-size.ts';

/** Each of the compiler's four checkers would check the shared types again. */
const args = [join(root, 'node_modules/typescript/bin/tsc'), '--checkers', '2', '--project'];
/** It is a Go program that ends soon: collecting its garbage would take a fifth of its time. */
const env = { ...process.env, GOGC: 'off' };

/** What the compiler says of a project; nothing when it has no complaint. */
const compile = (project: string): Promise<string> =>
  new Promise(resolve =>
    execFile(process.execPath, [...args, project], { cwd: root, env }, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}` || (error?.message ?? '')),
    ),
  );

it.each([
  ['the code and the tests', isFullSize ? '.' : 'test/tsconfig.everyday.json'],
  ['the page /demo', 'functions/demo'],
])('the compiler finds no wrong type in %s', { timeout: 120_000 }, async (_, project) => {
  expect(await compile(project)).toBe('');
});
