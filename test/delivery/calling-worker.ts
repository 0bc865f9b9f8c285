/** The code that calls webhooks, inside workerd. */
import type { MiniflareOptions } from 'miniflare';
import {
  instanceOptions,
  optionsOf,
  readConfig,
  readWorkerOptions,
  startMiniflare,
} from '../../functions/local/worker.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { bundleTestWorker } from './mailer.ts';

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
  const script = await bundleTestWorker('caller', directory.path);
  const { compatibilityDate, compatibilityFlags } = optionsOf(readConfig('all'));
  const { WEBHOOK_NETWORK } = (await readWorkerOptions()).serviceBindings ?? {};
  const logs: string[] = [];
  const miniflare = await startMiniflare({
    ...instanceOptions(line => logs.push(line)),
    name: 'all',
    modules: [{ type: 'ESModule', path: script }],
    modulesRoot: directory.path,
    compatibilityDate,
    compatibilityFlags,
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
