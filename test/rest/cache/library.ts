/** A service that caches the graphics library, over a link that counts its round trips to Postgres, and the callers of it. */
import { randomUUID } from 'node:crypto';
import { type RoundTripCounter, startRoundTripCounter } from '../../setup/round-trips.ts';
import { postgresPort, type Service, type ServiceOptions, startService } from '../../setup/service.ts';
import { type Caller, callerOf, signIn } from '../../setup/wire.ts';

export interface Library extends Record<'anon' | 'customer' | 'other' | 'staff', Caller> {
  service: Service;
  wire: RoundTripCounter;
  stop(): Promise<void>;
}

export async function openLibrary(seconds: number, options: ServiceOptions = {}): Promise<Library> {
  const wire = await startRoundTripCounter(postgresPort());
  const bindings = { GRAPHICS_CACHE_SECONDS: String(seconds) };
  const service = await startService({ databasePort: wire.port, bindings, ...options });
  const signedIn = (staff: boolean) => signIn(service, { account: randomUUID(), staff });
  return {
    service,
    wire,
    anon: callerOf(service, service.publishableKey),
    customer: await signedIn(false),
    other: await signedIn(false),
    staff: await signedIn(true),
    async stop() {
      await service.stop();
      await wire.stop();
    },
  };
}
