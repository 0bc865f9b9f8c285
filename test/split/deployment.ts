/** The deployed workers for a test file, with a database of their own. */
import { createDatabase } from '../setup/database.ts';
import { newKeys } from '../setup/running-worker.ts';
import { type Service, serviceOf } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { bundleOnce } from './bundles.ts';
import { readWorkers, startWorkers } from './workers.ts';

export interface Deployment extends Service {
  /** A worker by its env in wrangler.toml, past the routes. */
  at(env: string): Pick<Service, 'fetch'>;
}

/** The deployment of a test file: it is started before its tests, and until then has no properties. */
export const useDeployment = (): Deployment => use(startDeployment, 'stop');

async function startDeployment(): Promise<Deployment> {
  const [database, bundles] = await Promise.all([createDatabase(), bundleOnce()]);
  const keys = newKeys();
  const logs: string[] = [];
  const { url, urls, restart, stop } = await startWorkers({
    workers: readWorkers(bundles.directory),
    database,
    secrets: keys,
    onLog: line => logs.push(line),
  });
  const service = serviceOf({
    url,
    database,
    keys,
    logs,
    restart: bindings => restart({ ...keys, ...bindings }),
    async stop() {
      await stop();
      await database.drop();
    },
  });
  return { ...service, at: env => ({ fetch: (path, init) => fetch(`${urls[env]}${path}`, init) }) };
}
