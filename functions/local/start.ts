/**
 * `npm start` and `npm run dev`: the whole service on this machine, from a database to the worker, and how to try it.
 * Needs nothing but Node, and leaves nothing running.
 */
import { dirname, join } from 'node:path';
import { bundleWorker } from './bundle-worker.ts';
import { loginUrl, openDatabase, prepareDatabase } from './database.ts';
import { serveDemoFiles } from './demo-files.ts';
import { tryPort } from './port.ts';
import { exitWith, Problem } from './problem.ts';
import { demoTokens, step, welcome } from './report.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { readSettings, root, type Settings } from './settings.ts';
import { onChange } from './watch.ts';
import type { Order } from './worker-process.ts';
import { forkWorkerd, type Workerd } from './workerd.ts';

/** What runs, in the order it was started. */
const running: { stop(): Promise<void> | void }[] = [];

async function start(): Promise<void> {
  const settings = readSettings(process.argv.slice(2));
  const secrets = await step(
    'secrets',
    () => loadSecrets(settings.directory),
    () => `in ${settings.directory}`,
  );
  if ((await tryPort(settings.port)) === undefined) {
    throw new Problem(`Port ${settings.port} is in use: set PORT to another one.`);
  }
  const workerd = forkWorkerd();
  running.push(workerd);
  // Both at once. When one fails the other is waited for, so that what it started can be stopped.
  const database = startDatabase(settings, secrets);
  const bundle = step(
    'bundle',
    () => bundleWorker(join(settings.directory, 'bundle')),
    script => script,
  );
  await Promise.allSettled([database, bundle]);
  const owner = await database;
  const order = {
    script: await bundle,
    bindings: {
      ...(await bindings(owner.url, settings, secrets)),
      // What the bundle before answered is nothing to keep.
      ...(settings.watch && { GRAPHICS_CACHE_SECONDS: '0' }),
    },
    port: settings.port,
  };
  const port = await step(
    'worker',
    () => workerd.serve(order),
    () => 'workerd takes requests',
  );
  if (settings.watch) {
    const code = ['functions', 'schema'].map(folder => join(root, folder));
    running.push({ stop: onChange(code, () => reload(workerd, order)) });
    running.push({ stop: onChange([join(root, 'sql')], () => migrateAgain(owner.prepare)) });
  }
  await welcome(port, secrets, settings.databaseUrl === undefined ? owner.url : undefined);
  workerd.ended.then(() => end(new Problem('workerd ended.')));
}

/** Answers the owner's connection, and what brings the database up to date. */
async function startDatabase(
  settings: Settings,
  secrets: Secrets,
): Promise<{ url: string; prepare(): Promise<string> }> {
  const open = () => openDatabase(settings, secrets);
  const { url, stop } = await step('postgres', open, ({ place }) => place);
  running.push({ stop });
  const demoFiles = settings.databaseUrl === undefined ? await serveDemoFiles() : undefined;
  running.push(...(demoFiles ? [demoFiles] : []));
  const prepare = () => prepareDatabase(url, settings, secrets, demoFiles?.address);
  await step('migrations', prepare, outcome => outcome);
  return { url, prepare };
}

const bindings = async (
  owner: string,
  { databaseUrl }: Settings,
  secrets: Secrets,
): Promise<Record<string, string>> => ({
  DATABASE_URL: loginUrl(owner, 'builder_api', secrets.loginPassword),
  SWEEPER_DATABASE_URL: loginUrl(owner, 'builder_sweeper', secrets.loginPassword),
  PUBLISHABLE_KEY: secrets.publishableKey,
  SECRET_KEY: secrets.secretKey,
  JWT_SECRET: secrets.jwtSecret,
  LOCAL: '1',
  // Its account is in the demo rows: with a database of somebody's own, nobody's.
  ...(databaseUrl === undefined && { DEMO_TOKEN: await demoTokens(secrets.jwtSecret).customer }),
});

/** A bundle that fails is told, and the one before serves on. */
async function reload(workerd: Workerd, order: Order): Promise<void> {
  const bundleAndServe = async () =>
    workerd.serve({ ...order, script: await bundleWorker(dirname(order.script)) });
  try {
    await step('reload', bundleAndServe, () => 'the new bundle serves');
  } catch (error) {
    console.error(`${(error as Error).message}\nThe bundle before serves on.`);
  }
}

/** A migration that fails is told, and leaves the database as it was. */
async function migrateAgain(prepare: () => Promise<string>): Promise<void> {
  try {
    await step('migrations', prepare, outcome => outcome);
  } catch (error) {
    console.error((error as Error).message);
  }
}

let ending: Promise<void> | undefined;

/** Stops everything, the last first, and ends the program. */
function end(error?: unknown): Promise<void> {
  ending ??= stopAll().then(() => {
    if (error !== undefined) {
      exitWith(error);
    }
    console.log('stopped');
    process.exit(0);
  });
  return ending;
}

async function stopAll(): Promise<void> {
  while (running.length > 0) {
    await running.pop()?.stop();
  }
}

for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(event, () => end());
}
await start().catch(end);
