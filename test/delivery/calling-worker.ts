/** The code that calls webhooks, inside workerd. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MiniflareOptions } from 'miniflare';
import {
  instanceOptions,
  readConfig,
  readWorkerOptions,
  startMiniflare,
} from '../../functions/local/worker.ts';
import { wrangler } from '../../functions/local/wrangler.ts';
import { root } from '../setup/files.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';

export interface CallingWorker {
  url: string;
  /** What it has logged. */
  logs: string[];
  stop(): Promise<void>;
}

/** Starts it with these variables, and with the network that `npm start` gives to webhooks, or one of these addresses. */
export async function startCallingWorker(
  bindings: Record<string, string>,
  addresses?: string[],
): Promise<CallingWorker> {
  const directory = await makeTemporaryDirectory();
  const { compatibility_date: date = '', compatibility_flags: flags } = readConfig('all');
  const source = join(root, 'test/delivery/caller.ts');
  // Where it is run there is no wrangler.toml.
  await promisify(execFile)(
    process.execPath,
    [wrangler, 'deploy', source, '--dry-run', '--outdir', 'bundle', '--name', 'caller'].concat(
      ['--compatibility-date', date],
      flags.flatMap((flag: string) => ['--compatibility-flags', flag]),
    ),
    { cwd: directory.path, env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  );
  const { WEBHOOK_NETWORK } = (await readWorkerOptions()).serviceBindings ?? {};
  const logs: string[] = [];
  const miniflare = await startMiniflare({
    ...instanceOptions(line => logs.push(line)),
    name: 'all',
    modules: [{ type: 'ESModule', path: join(directory.path, 'bundle/caller.js') }],
    modulesRoot: join(directory.path, 'bundle'),
    compatibilityDate: date,
    compatibilityFlags: flags,
    bindings,
    serviceBindings: { WEBHOOK_NETWORK: addresses ? { network: { allow: addresses } } : WEBHOOK_NETWORK },
  } as MiniflareOptions);
  return {
    url: (await miniflare.ready).origin,
    logs,
    async stop() {
      await miniflare.dispose();
      await directory.remove();
    },
  };
}
