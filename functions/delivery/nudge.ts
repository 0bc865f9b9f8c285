/** Notifies the object that something may be due. Best effort: the object looks each minute anyway. */
import { type DeliveryStatus, type Env, nearDatabase } from '../common/env.ts';
import { deliveryLimits } from './limits.ts';

const deliveryObject = (env: Pick<Env, 'DELIVERY' | 'DATABASE_LOCATION'>) =>
  env.DELIVERY?.get(env.DELIVERY.idFromName('delivery'), nearDatabase(env));

/** Time until which this isolate sends no further nudge, in milliseconds since 1970. */
let nudgedUntil = 0;

/** Sends a nudge after the response to a write. */
export function nudgeDeliveryAfter(context: Pick<ExecutionContext, 'waitUntil'>, env: Env): void {
  const nudging = nudgeDelivery(env);
  if (nudging) {
    context.waitUntil(nudging);
  }
}

/** Sends a nudge. Never rejects. Returns undefined when there is nothing to wait for. */
export function nudgeDelivery(env: Env): Promise<void> | undefined {
  const now = Date.now();
  const delivery = now < nudgedUntil ? undefined : deliveryObject(env);
  if (delivery === undefined) {
    return undefined;
  }
  nudgedUntil = now + deliveryLimits.run.nudgedFor;
  // On failure, the object's alarm takes over.
  return delivery.nudge().catch(() => {});
}

/** Returns the status of deliveries; undefined where nothing is delivered. */
export async function deliveryStatus(env: Env): Promise<DeliveryStatus | undefined> {
  try {
    return await deliveryObject(env)?.status();
  } catch {
    return 'late';
  }
}
