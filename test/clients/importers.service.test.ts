/**
 * Postman and Bruno import the documents of the API, and the requests that they make of them succeed once the key and the
 * token are filled in.
 * @module-tag full
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startCommand } from '../local/program.ts';
import { emptyDatabase } from '../setup/database.ts';
import { root } from '../setup/files.ts';
import { useService } from '../setup/service.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../setup/temporary-directory.ts';
import { callerOf } from '../setup/wire.ts';

/** The account of the examples. */
const account = 'c0000000-0000-4000-8000-000000000001';
const service = useService();
let directory: TemporaryDirectory;
beforeAll(async () => {
  directory = await makeTemporaryDirectory();
});
beforeEach(() => emptyDatabase(service.database));
afterAll(() => directory.remove());

const run = (within: string, program: string, ...args: string[]) =>
  startCommand(join(root, 'test/node_modules/.bin', program), args, { directory: within }).ended;
const read = async (...path: string[]) => JSON.parse(await readFile(join(...path), 'utf8'));
const assign = (variables: Variables) =>
  Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);

/** The two documents, each as one caller gets it for one tool, and the names that the tool gives the variables of the key and of the token. */
const documents = [
  {
    document: 'OpenAPI 3.1',
    caller: 'staff',
    importIt: useBruno,
    tool: 'Bruno',
    holder: { account, staff: true },
    path: '/openapi.json',
    fill: (key: string, token: string) => ({ apiKey: key, bearerToken: token, token }),
  },
  {
    document: 'Swagger 2.0',
    caller: 'customer',
    importIt: usePostman,
    tool: 'Postman',
    holder: { account },
    path: '/',
    fill: (key: string, token: string) => ({ publishableKey: key, apiKey: `Bearer ${token}` }),
  },
];

it.each(
  documents,
)('what $document describes to $caller is imported by $tool, whose requests read and insert', {
  timeout: 240_000,
}, async ({ importIt, path, fill, holder }) => {
  const token = await service.token(holder);
  const { text, body } = await callerOf(service, service.publishableKey, token).get(path);
  await writeFile(join(directory.path, 'api.json'), text);
  /** The requests that shall succeed, by name. */
  const expected = Object.fromEntries(
    Object.entries<Record<string, object>>(body.paths).flatMap(([path, { get, post }]) => {
      const name = path.slice(1);
      const isCollection = get !== undefined && name !== '';
      return isCollection
        ? [[`Read ${name}`, 200] as const, ...(post ? [[`Insert or upsert ${name}`, 201] as const] : [])]
        : [];
    }),
  );
  expect(expected).toMatchObject({
    'Read quotes': 200,
    'Insert or upsert quotes': 201,
    'Read graphics': 200,
  });
  expect(await importIt(fill(service.publishableKey, token))).toMatchObject(expected);
});

/** Returns the status of each request, by name. None has a made-up parameter. */
async function usePostman(variables: Variables): Promise<Record<string, number>> {
  const files = directory.path;
  await run(files, 'openapi2postmanv2', '-s', 'api.json', '-o', 'postman.json');
  const report = ['--reporters', 'json', '--reporter-json-export', 'newman.json'];
  await run(files, 'newman', 'run', 'postman.json', ...assign(variables), ...report);
  const { executions } = (await read(files, 'newman.json')).run as { executions: Execution[] };
  const parameters = executions.flatMap(({ item: { request } }) => [...request.url.query, ...request.header]);
  expect(parameters.filter(({ value }) => value.startsWith('<'))).toEqual([]);
  // Of the Prefer values that the document lists, Postman picks any: with a count, a page is 206.
  return Object.fromEntries(
    executions.map(({ item, response }) => [item.name, response.code === 206 ? 200 : response.code]),
  );
}

/** Returns the status of each request, by name. */
async function useBruno(variables: Variables): Promise<Record<string, number>> {
  const files = directory.path;
  await run(files, 'bru', 'import', 'openapi', '-s', 'api.json', '-o', 'bruno', '-n', 'api');
  const [environment = ''] = await readdir(join(files, 'bruno/environments'));
  const chosen = ['--env', environment.replace(/\.\w+$/, ''), ...assign(variables)];
  await run(join(files, 'bruno'), 'bru', 'run', '-r', ...chosen, '--reporter-json', '../bru.json');
  const [{ results }] = await read(files, 'bru.json');
  return Object.fromEntries(results.map((one: Result) => [one.name, one.response.status]));
}

type Variables = Record<string, string>;
interface Pair {
  key: string;
  value: string;
}
interface Execution {
  item: { name: string; request: { url: { query: Pair[] }; header: Pair[] } };
  response: { code: number };
}
interface Result {
  name: string;
  response: { status: number };
}
