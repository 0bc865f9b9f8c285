/** The service whose isolates' memory a test looks into: as `npm start` runs it, and as it is deployed. */
import { asHyperdrive, startPgBouncer } from '../faults/pgbouncer.ts';
import { createDatabase } from '../setup/database.ts';
import { freeInspectorPort, heapsOf } from '../setup/heap.ts';
import { newKeys } from '../setup/running-worker.ts';
import { type Service, serviceOf, startService } from '../setup/service.ts';
import { bundleOnce } from '../split/bundles.ts';
import { readWorkers, startWorkers } from '../split/workers.ts';

export type Inspected = Service & {
  /** Returns the megabytes that each isolate still holds after a garbage collection. */
  heaps(): Promise<Record<string, number>>;
};

/** Lets deliveries call webhooks of this machine. */
const bindings = { WEBHOOKS_ON_LOOPBACK: 'on' };

/** The worker of everything, over its pool. */
export async function startInspected(): Promise<Inspected> {
  const inspectorPort = await freeInspectorPort();
  return inspected(await startService({ inspectorPort, bindings }), inspectorPort);
}

/** The deployed workers over PgBouncer, in which the secret key is not limited. */
export async function startInspectedWorkers(): Promise<Inspected> {
  const [database, { directory }, inspectorPort] = await Promise.all([
    createDatabase(),
    bundleOnce(),
    freeInspectorPort(),
  ]);
  const pooler = await startPgBouncer({ mode: 'transaction', database, settings: asHyperdrive });
  const keys = { ...newKeys(), ...bindings };
  const logs: string[] = [];
  const workers = readWorkers(directory);
  for (const { options } of workers) {
    options.ratelimits = {};
  }
  const { url, restart, stop } = await startWorkers({
    ...{ workers, database, hyperdrivePort: pooler.port, secrets: keys, inspectorPort },
    onLog: line => logs.push(line),
  });
  const service = serviceOf({
    ...{ url, database, keys, logs },
    restart: bindings => restart({ ...keys, ...bindings }),
    async stop() {
      await stop();
      await pooler.remove();
      await database.drop();
    },
  });
  return inspected(service, inspectorPort);
}

const inspected = (service: Service, inspectorPort: number): Inspected =>
  Object.assign(service, { heaps: () => heapsOf(inspectorPort) });
