/** `npm run token` prints access tokens. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { runProgram } from './program.ts';

const account = 'c0000000-0000-4000-8000-000000000001';
const directory = use(makeTemporaryDirectory, 'remove');

const token = (...args: string[]) => runProgram('token', ['--data', join(directory.path, 'token'), ...args]);
const claimsOf = (text: string) => JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString());

it('npm run token prints a token for 24 hours without a running service', async () => {
  const also = [account.replace(/1$/, '2'), account.replace(/1$/, '3')];
  const teams = also.flatMap(team => ['--also', team]);
  const ending = await token('--account', account, ...teams);
  expect(ending).toMatchObject({ code: 0, stderr: '' });
  const { iat, exp, ...claims } = claimsOf(ending.stdout);
  expect(exp - iat).toBe(24 * 60 * 60);
  const common = { sub: account, role: 'authenticated', aud: 'authenticated' };
  expect(claims).toEqual({ ...common, app_metadata: { account_ids: also } });
  expect(await readFile(join(directory.path, 'token/secrets.json'), 'utf8')).toContain('sb_secret_');
});

it('npm run token makes a staff token with --staff', async () => {
  const { stdout } = await token('--account', account, '--staff');
  expect(claimsOf(stdout).app_metadata).toEqual({ account_ids: [], role: 'admin' });
});

it('npm run token reports an account that is no uuid in one line', async () => {
  const ending = await token('--account', 'me');
  expect(ending.stderr).toMatch(/^"me" is not a uuid\. Usage: .+\n$/);
  expect(ending.code).toBe(1);
});
