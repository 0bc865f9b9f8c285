/** The deployed workers for a test file, with a database of their own. */
import { createDatabase } from '../setup/database.ts';
import { newKeys } from '../setup/running-worker.ts';
import { serviceOf } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { bundleOnce } from './bundles.ts';
import { readWorkers, startWorkers } from './workers.ts';

/** The deployment of a test file: it is started before its tests, and until then has no properties. */
export const useDeployment = () => use(startDeployment, 'stop');

async function startDeployment() {
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
  /** A worker by its env in wrangler.toml, past the routes. */
  const at = (env: string): Pick<typeof service, 'fetch'> => ({
    fetch: (path, init) => fetch(`${urls[env]}${path}`, init),
  });
  return { ...service, at };
}
