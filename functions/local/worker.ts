/** A bundled worker in workerd on this machine. What it binds is written in wrangler.toml, and is read from there. */
import { dirname, join } from 'node:path';
import {
  Log,
  LogLevel,
  Miniflare,
  MiniflareCoreError,
  type MiniflareOptions,
  type WorkerOptions,
} from 'miniflare';
import { loopback } from './port.ts';
import { Problem } from './problem.ts';
import { root } from './settings.ts';

// Where miniflare looks for workerd. This one's socket leads to our worker, not to miniflare's own before it.
process.env['MINIFLARE_WORKERD_PATH'] ??= join(root, 'functions/local/lean-workerd.sh');

/** What wrangler.toml says of the worker `all`, for miniflare; plain data. */
export async function readWorkerOptions(): Promise<Partial<WorkerOptions>> {
  // Wrangler is large: loaded only by whom it is for.
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler');
  const config = join(root, 'wrangler.toml');
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config, 'all');
  const { assets } = unstable_readConfig({ config, env: 'reference' }, { hideWarnings: true });
  return { ...(workerOptions as Partial<WorkerOptions>), serviceBindings: bindAssets(assets) };
}

/** The files of the reference's worker, from the disk: no router stands before the requests that want none. */
const bindAssets = (assets?: { binding?: string; directory?: string }): WorkerOptions['serviceBindings'] =>
  assets?.binding && assets.directory
    ? { [assets.binding]: { disk: { path: join(root, assets.directory), writable: false } } }
    : {};

export interface Deployment {
  /** The bundle. */
  script: string;
  options: Partial<WorkerOptions>;
  /** Variables and secrets, on top of those in wrangler.toml. */
  bindings: Record<string, string>;
  /** 0 for any. */
  port: number;
  /** Gets each line the worker logs; without it they go to this process's output. */
  onLog?: (line: string) => void;
}

/** Answers when the worker takes requests. */
export async function startWorker(deployment: Deployment): Promise<Miniflare> {
  const worker = new Miniflare(miniflareOptions(deployment));
  try {
    await worker.ready;
    return worker;
  } catch (error) {
    await worker.dispose().catch(() => {});
    const known = error instanceof MiniflareCoreError;
    throw known ? new Problem(`The worker did not start: ${error.message}`) : error;
  }
}

/** The same for `Miniflare.setOptions`, which takes a new bundle in. */
export function miniflareOptions({ script, options, bindings, port, onLog }: Deployment): MiniflareOptions {
  return {
    ...options,
    name: 'all',
    modules: true,
    modulesRoot: dirname(script),
    scriptPath: script,
    bindings: { ...options.bindings, ...bindings },
    host: loopback,
    port,
    log: new Log(LogLevel.ERROR),
    logRequests: false,
    ...(onLog && { handleStructuredLogs: ({ message }: { message: string }): void => void onLog(message) }),
  } as MiniflareOptions;
}
