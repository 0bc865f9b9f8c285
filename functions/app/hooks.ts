/** What the workers hand to the engine: the database, and who is notified after a write. */
import { execute } from '../database/execute.ts';
import { nudgeDelivery } from '../delivery/delivery-stub.ts';
import { nudge } from '../live/live-stub.ts';
import type { Hooks } from '../rest/endpoint.ts';

export const hooks: Hooks = {
  execute,
  afterWrite: env => [nudge(env), nudgeDelivery(env)].filter(nudging => nudging !== undefined),
};
