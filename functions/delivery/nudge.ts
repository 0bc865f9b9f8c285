/** Notifies the object that something may be due. Best effort: the object looks each minute anyway. */
import { type DeliveryStatus, type Env, nearDatabase } from '../common/env.ts';
import { deliveryLimits } from './limits.ts';

const deliveryObject = (env: Pick<Env, 'DELIVERY' | 'DATABASE_LOCATION'>) =>
  env.DELIVERY?.get(env.DELIVERY.idFromName('delivery'), nearDatabase(env));

/** Of this isolate: until when the object is going to look anyway. */
let nudgedUntil = 0;

/** Nudges when the response to a write is sent. */
export function nudgeDeliveryAfter(context: Pick<ExecutionContext, 'waitUntil'>, env: Env): void {
  const nudging = nudgeDelivery(env);
  if (nudging) {
    context.waitUntil(nudging);
  }
}

/** Sends a nudge. Never rejects; returns undefined where there is nothing to wait for. */
export function nudgeDelivery(env: Env): Promise<void> | undefined {
  const now = Date.now();
  const delivery = now < nudgedUntil ? undefined : deliveryObject(env);
  if (delivery === undefined) {
    return undefined;
  }
  nudgedUntil = now + deliveryLimits.run.nudgedFor;
  // The object's alarm does it.
  return delivery.nudge().catch(() => {});
}

/** Undefined where nothing is delivered. */
export async function deliveryStatus(env: Env): Promise<DeliveryStatus | undefined> {
  try {
    return await deliveryObject(env)?.status();
  } catch {
    return 'late';
  }
}
