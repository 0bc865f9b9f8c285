/**
 * `npm start` and `npm run dev`: run the whole service on this machine, the database and the worker, and print how to try
 * it. Needs only Node. Stops everything on exit.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keysOf } from '../common/env.ts';
import { swaggerFiles } from '../reference/page.ts';
import { openApiPath } from '../rest/api-root.ts';
import { bundleDemo } from './bundle-demo.ts';
import { emptyDirectory, ensureTemporaryRoom, withData } from './data-directory.ts';
import { type LocalDatabase, startDatabase } from './local-database.ts';
import { loopback, tryPort } from './port.ts';
import { end, Problem, run, running } from './program.ts';
import { warnOfOtherVersions } from './relied-on.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { readSettings, root, type StartSettings } from './settings.ts';
import { demoTokens, step, welcome } from './start-report.ts';
import { deliveryVariables, variablesOf } from './variables.ts';
import { onChange } from './watch.ts';
import type { ServeRequest, ServeResult } from './worker-process.ts';
import { bundleWorker } from './wrangler.ts';

async function start(settings: StartSettings): Promise<void> {
  const secrets = await step(
    'secrets',
    () => loadSecrets(settings.directory),
    () => `in ${settings.directory}`,
  );
  await withData(tmpdir(), ensureTemporaryRoom);
  await ensureNotRunning(settings, secrets);
  const port = await tryPort(settings.port);
  if (port === undefined) {
    throw new Problem(`Port ${settings.port} is in use: set PORT to another one.`);
  }
  warnOfOtherVersions();
  const workerd = forkWorkerd();
  running.push(workerd);
  // In parallel. When one fails, or a signal comes, the others are still awaited: what they start is stopped too.
  const database = startDatabase(settings, secrets);
  const bundle = step(
    'bundle',
    () => bundleWorker(join(settings.directory, 'bundle')),
    script => script,
  );
  const pages = copyPages(settings);
  const all = Promise.allSettled([database, bundle, pages]);
  running.push({ stop: async () => void (await all) });
  await all;
  const owner = await database;
  const { variables, hasInbox } = deliveryVariables(port, settings.databaseUrl === undefined);
  const request = {
    script: await bundle,
    ...(await pages),
    bindings: {
      ...(await bindings(owner, secrets)),
      ...variables,
      // Responses of the previous bundle must not be cached.
      ...(settings.watch && { GRAPHICS_CACHE_SECONDS: '0' }),
    },
    port,
    hasInbox,
  };
  await step(
    'worker',
    () => workerd.serve(request),
    () => 'workerd accepts requests',
  );
  // It also wakes the object that sends what was due when the service last ended.
  await step(
    'health',
    async () => (await fetch(`http://${loopback}:${port}/health`)).text(),
    text => text.trim(),
  );
  if (settings.watch) {
    const code = ['functions', 'schema'].map(folder => join(root, folder));
    running.push({ stop: onChange(code, () => reload(workerd, request)) });
    running.push({ stop: onChange([join(root, 'sql')], () => migrateAgain(owner.prepare)) });
  }
  if (settings.databaseUrl === undefined) {
    running.push(await noteAddress(settings.directory, `http://${loopback}:${port}`));
  }
  await welcome(port, secrets, variables, settings.databaseUrl === undefined ? owner.url : undefined);
  workerd.ended.then(code => end(code === 0 ? undefined : new Problem('workerd ended.')));
}

/**
 * Writes the files of the pages: the reference's, and the demo's where its rows are. They are copies, since workerd reads them
 * later, when the packages may have been replaced.
 */
async function copyPages({
  directory,
  databaseUrl,
}: StartSettings): Promise<{ reference: string; demo?: string }> {
  const reference = await emptyDirectory(join(directory, 'reference'));
  const copy = (name: string) =>
    copyFile(join(root, 'node_modules/swagger-ui-dist', name), join(reference, name));
  await Promise.all(Object.keys(swaggerFiles).map(copy));
  if (databaseUrl !== undefined) {
    return { reference };
  }
  const bundle = () => bundleDemo(join(directory, 'demo'));
  return { reference, demo: await step('demo', bundle, path => path) };
}

/** Throws a Problem when another instance is running on this directory's database or on the same port. */
async function ensureNotRunning(
  { directory, databaseUrl, port }: StartSettings,
  secrets: Secrets,
): Promise<void> {
  const first = await addressOf(directory, secrets);
  if (first && (databaseUrl === undefined || first.port === String(port))) {
    throw new Problem(`The service is already running at ${first.origin}, on the data in ${directory}.`);
  }
}

async function bindings({ url, hasDemo }: LocalDatabase, secrets: Secrets): Promise<Record<string, string>> {
  const variables = variablesOf(url, secrets);
  if (!hasDemo) {
    return variables;
  }
  // Only with the demo rows, which the tokens' users belong to.
  const { customer, staff } = demoTokens(secrets.jwtSecret);
  return { ...variables, DEMO_TOKEN: await customer, DEMO_STAFF_TOKEN: await staff };
}

/** Serves the new bundle. On failure, prints the error and what is served instead. */
async function reload(workerd: Workerd, request: ServeRequest): Promise<void> {
  let served = 'The previous bundle is still served.';
  const bundleAndServe = async () => {
    const [script] = await Promise.all([
      bundleWorker(dirname(request.script)),
      request.demo && bundleDemo(request.demo),
    ]);
    served = 'workerd did not start with the new bundle. Nothing is served until the code changes.';
    await workerd.serve({ ...request, script });
  };
  try {
    await step('reload', bundleAndServe, () => 'serving the new bundle');
  } catch (error) {
    console.error(`${(error as Error).message}\n${served}`);
  }
}

/** Applies new migrations. Prints the error of one that fails; the database is then unchanged. */
async function migrateAgain(prepare: () => Promise<string>): Promise<void> {
  try {
    await step('migrations', prepare, outcome => outcome);
  } catch (error) {
    console.error((error as Error).message);
  }
}

/** Returns the path of the file with the address of a directory's running service. */
const addressFile = (directory: string): string => join(directory, 'address');

/** Stores the address until the service is stopped. A killed service leaves the file behind. */
async function noteAddress(directory: string, address: string): Promise<{ stop(): Promise<void> }> {
  await rm(addressFile(directory), { recursive: true, force: true });
  await writeFile(addressFile(directory), address);
  return { stop: () => rm(addressFile(directory), { force: true }) };
}

/** Returns the stored address, if a service with this key replies there. Another program may have the port meanwhile. */
async function addressOf(directory: string, { publishableKey }: Secrets): Promise<URL | undefined> {
  try {
    const address = new URL(await readFile(addressFile(directory), 'utf8'));
    const [apikey = ''] = keysOf(publishableKey);
    const options = { headers: { apikey }, signal: AbortSignal.timeout(2000) };
    const response = await fetch(new URL(openApiPath, address), options);
    const { openapi } = (await response.json()) as { openapi?: string };
    return openapi === undefined ? undefined : address;
  } catch {
    return undefined;
  }
}

/** The process of worker-process.ts, which runs workerd. */
interface Workerd {
  /** Serves a bundle in place of the previous one. Throws a Problem on failure. */
  serve(request: ServeRequest): Promise<void>;
  stop(): Promise<void>;
  /** Resolves to the exit code when the process has ended for any reason: 0 when nobody reads its output any more. */
  ended: Promise<number | null>;
}

function forkWorkerd(): Workerd {
  const program = fileURLToPath(new URL('worker-process.ts', import.meta.url));
  const child = fork(program, { detached: true });
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => {
    killGroup(child.pid);
    return code ?? null;
  });
  return {
    ended,
    async serve(request) {
      const message = once(child, 'message').then(([result]) => result as ServeResult);
      child.send(request);
      const result = await Promise.race([
        message,
        ended.then(() => ({ problem: 'The worker process ended.' })),
      ]);
      if (result.problem) {
        throw new Problem(result.problem);
      }
    },
    async stop() {
      if (child.connected) {
        child.disconnect();
      }
      await ended;
    },
  };
}

/** Kills the process group of a worker process that was killed, which may still contain workerd. */
function killGroup(leader: number | undefined): void {
  try {
    process.kill(-(leader ?? Number.NaN), 'SIGKILL');
  } catch {
    // The group is empty: the process stopped workerd itself.
  }
}

await run(async () => {
  const settings = readSettings(process.argv.slice(2));
  await withData(settings.directory, () => start(settings));
});
