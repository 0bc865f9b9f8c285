/** The service whose isolates' memory a test looks into: as `npm start` runs it, and as it is deployed. */
import { freeInspectorPort, heapsOf } from '../setup/heap.ts';
import { type Service, type ServiceOptions, startService } from '../setup/service.ts';

export type Inspected = Service & {
  /** Returns the megabytes that each isolate still holds after a garbage collection. */
  heaps(): Promise<Record<string, number>>;
};

export async function startInspected(options: ServiceOptions): Promise<Inspected> {
  const inspectorPort = await freeInspectorPort();
  // Lets deliveries call webhooks of this machine.
  const bindings = { WEBHOOKS_ON_LOOPBACK: 'on' };
  const service = await startService({ ...options, inspectorPort, bindings });
  return Object.assign(service, { heaps: () => heapsOf(inspectorPort) });
}
