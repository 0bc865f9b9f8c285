import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

/** What the compiler says; nothing when it has no complaint. Of its four checkers, each checks the shared types again. */
const compile = (): Promise<string> =>
  new Promise(resolve =>
    execFile(
      process.execPath,
      [join(typescript, 'bin/tsc'), '--checkers', '2'],
      { cwd: root },
      (error, stdout, stderr) => resolve(`${stdout}${stderr}` || (error?.message ?? '')),
    ),
  );

it('the code and the tests have the types that they say', { timeout: 120_000 }, async () => {
  expect(await compile()).toBe('');
});
