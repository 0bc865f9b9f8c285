/**
 * `npm start` and `npm run dev`: run the whole service on this machine, the database and the worker, and print how to try
 * it. Needs only Node. Stops everything on exit.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorker } from './bundle-worker.ts';
import { startDatabase } from './database.ts';
import { deliveryVariables } from './delivery-variables.ts';
import { loopback, tryPort } from './port.ts';
import { Problem } from './problem.ts';
import { findUnreadVersions } from './relied-on.ts';
import { demoTokens, step, welcome } from './report.ts';
import { end, run, running } from './running.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { readSettings, root, type Settings } from './settings.ts';
import { variablesOf } from './variables.ts';
import { onChange } from './watch.ts';
import type { ServeRequest, ServeResult } from './worker-process.ts';

async function start(): Promise<void> {
  const settings = readSettings(process.argv.slice(2));
  const secrets = await step(
    'secrets',
    () => loadSecrets(settings.directory),
    () => `in ${settings.directory}`,
  );
  await ensureNotRunning(settings);
  const port = await tryPort(settings.port);
  if (port === undefined) {
    throw new Problem(`Port ${settings.port} is in use: set PORT to another one.`);
  }
  for (const sentence of findUnreadVersions()) {
    console.warn(`Warning: ${sentence}`);
  }
  const workerd = forkWorkerd();
  running.push(workerd);
  // In parallel. When one fails, the other is still awaited, so that everything it started can be stopped.
  const database = startDatabase(settings, secrets);
  const bundle = step(
    'bundle',
    () => bundleWorker(join(settings.directory, 'bundle')),
    script => script,
  );
  await Promise.allSettled([database, bundle]);
  const owner = await database;
  const { variables, hasInbox } = deliveryVariables(port, settings.databaseUrl === undefined);
  const request = {
    script: await bundle,
    bindings: {
      ...(await bindings(owner.url, secrets, settings.databaseUrl)),
      ...variables,
      // Responses of the previous bundle must not be cached.
      ...(settings.watch && { GRAPHICS_CACHE_SECONDS: '0' }),
    },
    port,
    ...(hasInbox && { inboxOf: owner.url }),
    // By port: it is unique among running services, and clients reconnect to the same one.
    ...(settings.port !== 0 && { objects: join(settings.directory, 'objects', `${settings.port}`) }),
  };
  await step(
    'worker',
    () => workerd.serve(request),
    () => 'workerd accepts requests',
  );
  if (settings.watch) {
    const code = ['functions', 'schema'].map(folder => join(root, folder));
    running.push({ stop: onChange(code, () => reload(workerd, request)) });
    running.push({ stop: onChange([join(root, 'sql')], () => migrateAgain(owner.prepare)) });
  }
  if (settings.databaseUrl === undefined) {
    running.push(await noteAddress(settings.directory, `http://${loopback}:${port}`));
  }
  await welcome(port, secrets, settings.databaseUrl === undefined ? owner.url : undefined);
  workerd.ended.then(() => end(new Problem('workerd ended.')));
}

/** Throws a Problem when another instance is running on this directory's database or on the same port. */
async function ensureNotRunning({ directory, databaseUrl, port }: Settings): Promise<void> {
  const first = await addressOf(directory);
  if (first && (databaseUrl === undefined || first.port === String(port))) {
    throw new Problem(`The service is already running at ${first.origin}, on the data in ${directory}.`);
  }
}

async function bindings(
  owner: string,
  secrets: Secrets,
  databaseUrl?: string,
): Promise<Record<string, string>> {
  const variables = variablesOf(owner, secrets);
  if (databaseUrl !== undefined) {
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
    const script = await bundleWorker(dirname(request.script));
    served = 'workerd did not start with the new bundle. Nothing is served until the code changes.';
    return workerd.serve({ ...request, script });
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
  await writeFile(addressFile(directory), address);
  return { stop: () => rm(addressFile(directory), { force: true }) };
}

/** Returns the stored address, if a service replies there. */
async function addressOf(directory: string): Promise<URL | undefined> {
  try {
    const address = new URL(await readFile(addressFile(directory), 'utf8'));
    const response = await fetch(new URL('/health', address), { signal: AbortSignal.timeout(2000) });
    const { status } = (await response.json()) as { status?: string };
    return status === 'ok' ? address : undefined;
  } catch {
    return undefined;
  }
}

/** The process of worker-process.ts, which runs workerd. */
interface Workerd {
  /** Serves a bundle in place of the previous one, and returns the port. Throws a Problem on failure. */
  serve(request: ServeRequest): Promise<number>;
  stop(): Promise<void>;
  /** Resolves when the process has ended for any reason. */
  ended: Promise<void>;
}

function forkWorkerd(): Workerd {
  const program = fileURLToPath(new URL('worker-process.ts', import.meta.url));
  const child = fork(program, { detached: true });
  const ended = once(child, 'exit').then(() => killGroup(child.pid));
  return {
    ended,
    async serve(request) {
      const message = once(child, 'message').then(([result]) => result as ServeResult);
      child.send(request);
      const result = await Promise.race([
        message,
        ended.then(() => ({ problem: 'The worker process ended.' })),
      ]);
      if ('problem' in result) {
        throw new Problem(result.problem);
      }
      return result.port;
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

await run(start);
