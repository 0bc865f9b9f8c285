/**
 * `npm start` and `npm run dev`: run the whole service on this machine, the database and the worker, and print how to try
 * it. Needs only Node, and leaves nothing running.
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
import type { ServeRequest } from './worker-process.ts';
import { forkWorkerd, type Workerd } from './workerd.ts';

/** What is running, in the order it was started. */
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
  // Both at once. When one fails, the other is awaited, so that everything it started can be stopped.
  const database = startDatabase(settings, secrets);
  const bundle = step(
    'bundle',
    () => bundleWorker(join(settings.directory, 'bundle')),
    script => script,
  );
  await Promise.allSettled([database, bundle]);
  const owner = await database;
  const request = {
    script: await bundle,
    bindings: {
      ...(await bindings(owner.url, settings, secrets)),
      // Responses of the previous bundle must not be cached.
      ...(settings.watch && { GRAPHICS_CACHE_SECONDS: '0' }),
    },
    port: settings.port,
  };
  const port = await step(
    'worker',
    () => workerd.serve(request),
    () => 'workerd accepts requests',
  );
  if (settings.watch) {
    const code = ['functions', 'schema'].map(folder => join(root, folder));
    running.push({ stop: onChange(code, () => reload(workerd, request)) });
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
  // Only with the demo rows, since the token's account is one of theirs.
  ...(databaseUrl === undefined && { DEMO_TOKEN: await demoTokens(secrets.jwtSecret).customer }),
});

/** Serves the new bundle. When bundling fails, prints the error and continues with the previous one. */
async function reload(workerd: Workerd, request: ServeRequest): Promise<void> {
  const bundleAndServe = async () =>
    workerd.serve({ ...request, script: await bundleWorker(dirname(request.script)) });
  try {
    await step('reload', bundleAndServe, () => 'serving the new bundle');
  } catch (error) {
    console.error(`${(error as Error).message}\nThe previous bundle is still served.`);
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

/** Stops everything in reverse order, and exits. */
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
