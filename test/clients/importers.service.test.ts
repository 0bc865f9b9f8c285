/**
 * Postman and Bruno import the OpenAPI document, and the requests that they make of it succeed once the key and the token are
 * filled in.
 * @module-tag full
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCommand } from '../local/program.ts';
import { root } from '../setup/files.ts';
import { useService } from '../setup/service.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../setup/temporary-directory.ts';
import { callerOf } from '../setup/wire.ts';

/** The account of the examples. */
const account = 'c0000000-0000-4000-8000-000000000001';
const service = useService();
let directory: TemporaryDirectory;
let token: string;
beforeAll(async () => {
  directory = await makeTemporaryDirectory();
  token = await service.token({ account });
  const { text } = await callerOf(service, service.publishableKey, token).get('/openapi.json');
  await writeFile(join(directory.path, 'openapi.json'), text);
});
afterAll(() => directory.remove());

const run = async (within: string, program: string, ...args: string[]) => {
  const file = join(root, 'test/node_modules/.bin', program);
  return startCommand(file, args, { directory: join(directory.path, within) }).ended;
};
const read = async (name: string) => JSON.parse(await readFile(join(directory.path, name), 'utf8'));

const succeeded = { 'Read quotes': 200, 'Count quotes': 200, 'Insert or upsert quotes': 201 };

it('Postman’s first requests of quotes succeed, and none has a made-up parameter', {
  timeout: 240_000,
}, async () => {
  await run('.', 'openapi2postmanv2', '-s', 'openapi.json', '-o', 'postman.json');
  const { item } = await read('postman.json');
  const { item: requests } = item.find(({ name }: { name: string }) => name === 'quotes');
  const placeholders = requests.flatMap(
    ({ request }: { request: { url: { query: Pair[] }; header: Pair[] } }) =>
      [...request.url.query, ...request.header].filter(({ value }) => value.startsWith('<')),
  );
  expect(placeholders).toEqual([]);
  const keys = ['--env-var', `apiKey=${service.publishableKey}`, '--env-var', `bearerToken=${token}`];
  const report = ['--reporters', 'json', '--reporter-json-export', 'newman.json'];
  await run('.', 'newman', 'run', 'postman.json', '--folder', 'quotes', ...keys, ...report);
  const { executions } = (await read('newman.json')).run;
  const statuses = executions.map((one: Execution) => [one.item.name, one.response.code]);
  expect(Object.fromEntries(statuses)).toMatchObject(succeeded);
});

it('Bruno’s first requests of quotes succeed', { timeout: 240_000 }, async () => {
  await run('.', 'bru', 'import', 'openapi', '-s', 'openapi.json', '-o', 'bruno', '-n', 'api');
  const [environment = ''] = await readdir(join(directory.path, 'bruno/environments'));
  const keys = ['--env-var', `apiKey=${service.publishableKey}`, '--env-var', `token=${token}`];
  const name = environment.replace(/\.\w+$/, '');
  await run('bruno', 'bru', 'run', 'quotes', '--env', name, ...keys, '--reporter-json', '../bru.json');
  const [{ results }] = await read('bru.json');
  const statuses = results.map((one: Result) => [one.name, one.response.status]);
  expect(Object.fromEntries(statuses)).toMatchObject(succeeded);
});

interface Pair {
  key: string;
  value: string;
}
interface Execution {
  item: { name: string };
  response: { code: number };
}
interface Result {
  name: string;
  response: { status: number };
}
