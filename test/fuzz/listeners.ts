/** Customers who listen to everything while the fuzzer writes. */
import { settle, Wire } from '../live/wire.ts';
import type { Service } from '../setup/service.ts';
import { callersOf, everyone, type FuzzCaller, internal, owners, withheld } from './world.ts';

export interface Heard {
  name: string;
  /** Changes that it was told. */
  changes: number;
  /** What it should not have been told. */
  leaks: string[];
}

/**
 * Resolves when all of them listen; the function it returns ends that, and says what they heard. `staffWrites`: staff give
 * rows to other accounts, so that marks no longer tell whose a row is.
 */
export async function listenToEverything(
  service: Service,
  { staffWrites }: { staffWrites: boolean },
): Promise<() => Promise<Heard[]>> {
  const customers = (await callersOf(service)).filter(({ kind }) => kind === 'customer');
  const listeners = await Promise.all(customers.map(caller => listen(service, caller, staffWrites)));
  return () => Promise.all(listeners.map(stop => stop()));
}

async function listen(
  service: Service,
  caller: FuzzCaller,
  staffWrites: boolean,
): Promise<() => Promise<Heard>> {
  const wire = await Wire.open(service);
  const token = caller.headers['authorization']?.replace('Bearer ', '');
  const { status } = await wire.join('everything', [{ event: '*', schema: 'public' }], token);
  if (status !== 'ok') {
    throw new Error(`${caller.name} cannot listen: ${status}`);
  }
  return async () => {
    await settle(service.sql, wire);
    wire.close();
    const own = [...caller.owns.map(({ account }) => account), everyone];
    const foreign = Object.values(owners).filter(owner => !caller.owns.includes(owner));
    const marks = staffWrites ? [] : foreign.map(({ mark }) => mark);
    const secrets = [...marks, internal, withheld, '"internal_notes"'];
    const changes = wire.changes();
    return {
      name: caller.name,
      changes: changes.length,
      leaks: [
        ...secrets.flatMap(secret => wire.frames.filter(frame => frame.includes(secret))),
        ...changes
          .filter(({ data }) => data.record !== undefined && !own.includes(String(data.record['account_id'])))
          .map(change => JSON.stringify(change)),
      ],
    };
  };
}
