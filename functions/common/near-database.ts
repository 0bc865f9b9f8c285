import type { Env } from './env.ts';

/**
 * Returns how a worker calls for an object: near the database. An object stays where it was when it was first called, so
 * whoever may be the first to call names the place.
 */
export const nearDatabase = ({
  DATABASE_LOCATION: locationHint,
}: Pick<Env, 'DATABASE_LOCATION'>): DurableObjectNamespaceGetDurableObjectOptions =>
  locationHint ? { locationHint } : {};
