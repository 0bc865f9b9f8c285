/** Runs a bundled worker in workerd on this machine, with the bindings of wrangler.toml. */
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Miniflare, MiniflareOptions, WorkerOptions } from 'miniflare';
import { createMiniflare, miniflare } from './miniflare.ts';
import { loopback } from './port.ts';
import { Problem } from './program.ts';
import { root } from './settings.ts';
import { requireWrangler } from './wrangler.ts';

/** Returns what wrangler.toml says of an env. */
export const readConfig = (env: string) =>
  requireWrangler().unstable_readConfig({ config: join(root, 'wrangler.toml'), env }, { hideWarnings: true });

/** Returns miniflare's options for the bindings and flags of an env, without its script; plain data. */
export function optionsOf(config: ReturnType<typeof readConfig>): Partial<WorkerOptions> {
  // Wrangler looks for .dev.vars and .env beside this path. Those of the repository are for `wrangler dev`.
  const userConfigPath = fileURLToPath(import.meta.url);
  const { workerOptions } = requireWrangler().unstable_getMiniflareWorkerOptions({
    ...config,
    userConfigPath,
  });
  return workerOptions as Partial<WorkerOptions>;
}

/** Returns the same for the worker `all`, with the reference page's files: those in a directory, or else the package's. */
export async function readWorkerOptions(reference?: string): Promise<Partial<WorkerOptions>> {
  const { assets } = readConfig('quotes');
  return {
    ...optionsOf(readConfig('all')),
    serviceBindings: {
      ...(assets?.binding && { [assets.binding]: files(reference ?? join(root, assets.directory ?? '')) }),
      WEBHOOK_NETWORK: publicNetwork,
    },
  };
}

/** Connects to public addresses alone, whatever name leads elsewhere. */
const publicNetwork = { network: { allow: ['public'], tlsOptions: { trustBrowserCas: true } } };

const files = (path: string) => ({ disk: { path, writable: false } });

export interface Deployment {
  /** The path of the bundle. */
  script: string;
  /** The directory of the bundled page `/demo`; by default there is no such page. */
  demo?: string;
  options: Partial<WorkerOptions>;
  /** Variables and secrets, in addition to those in wrangler.toml. */
  bindings: Record<string, string>;
  /** 0: any free port. */
  port: number;
  /** The directory where the Durable Objects keep their state; by default, it is removed when workerd stops. */
  objects?: string;
  /** Receives each line of the worker's log; by default, they go to this process's output. */
  onLog?: (line: string) => void;
  /** Receives what workerd prints instead. */
  onOutput?: (stdout: Readable, stderr: Readable) => void;
}

/** Starts a worker, and resolves when it accepts requests. */
export const startWorker = (deployment: Deployment): Promise<Miniflare> =>
  startMiniflare(miniflareOptions(deployment));

/** Starts workers, and resolves when they accept requests. */
export async function startMiniflare(options: MiniflareOptions): Promise<Miniflare> {
  const worker = createMiniflare(options);
  try {
    await worker.ready;
    return worker;
  } catch (error) {
    await worker.dispose().catch(() => {});
    const known = error instanceof miniflare.MiniflareCoreError;
    throw known ? new Problem(`The worker did not start: ${error.message}`) : error;
  }
}

/** Returns where the only worker accepts requests. Miniflare's own, before it, would double what a request costs. */
export const addressOf = (worker: Miniflare): Promise<URL> => worker.unsafeGetDirectURL();

/** Returns the options of a deployment, also for `Miniflare.setOptions`, which loads a new bundle. */
export function miniflareOptions({
  script,
  demo,
  options,
  bindings,
  port,
  objects,
  onLog,
  onOutput,
}: Deployment): MiniflareOptions {
  return {
    ...instanceOptions(onLog, port),
    ...options,
    name: 'all',
    // The bundle is one module. If it were not said so, miniflare would parse all of it to find others.
    modules: [{ type: 'ESModule', path: script }],
    modulesRoot: dirname(script),
    bindings: { ...options.bindings, ...bindings },
    ...(demo && { serviceBindings: { ...options.serviceBindings, DEMO: files(demo) } }),
    ...(objects && { durableObjectsPersist: objects }),
    ...(onOutput && { handleRuntimeStdio: onOutput, structuredWorkerdLogs: false }),
  } as MiniflareOptions;
}

/** Returns the options of any instance of miniflare, whose worker gets a socket of its own. */
export const instanceOptions = (onLog?: Deployment['onLog'], port = 0) => ({
  host: loopback,
  port: 0,
  unsafeDirectSockets: [{ host: loopback, port }],
  log: new miniflare.Log(miniflare.LogLevel.ERROR),
  logRequests: false,
  ...(onLog && {
    // Miniflare throws at a handler that returns a value.
    handleStructuredLogs: ({ message }: { message: string }): void => void onLog(message),
  }),
});
