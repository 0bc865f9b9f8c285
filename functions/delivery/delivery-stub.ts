/**
 * Calls of the object that delivers. A nudge tells it that something may be due. Best effort: the object looks each minute
 * anyway.
 */
import { type DeliveryStatus, type Env, nearDatabase } from '../common/env.ts';
import { deliveryLimits } from './delivery-limits.ts';

const deliveryObject = (env: Pick<Env, 'DELIVERY' | 'DATABASE_LOCATION'>) =>
  env.DELIVERY?.get(env.DELIVERY.idFromName('delivery'), nearDatabase(env));

/** When this isolate sent its last nudge, in milliseconds since 1970. */
let nudgedAt = 0;

/** Sends a nudge. Never rejects. Returns undefined when there is nothing to wait for. */
export function nudgeDelivery(env: Env): Promise<void> | undefined {
  const since = Date.now() - nudgedAt;
  // Not by monotonicNow(): after the clock was set back, a nudge too many does no harm, and one too few delays mail.
  const isRecent = since >= 0 && since < deliveryLimits.run.nudgedFor;
  const delivery = isRecent ? undefined : deliveryObject(env);
  if (delivery === undefined) {
    return undefined;
  }
  nudgedAt = Date.now();
  // On failure, the object's alarm takes over.
  return delivery.nudge().catch(() => {});
}

/** Returns the status of deliveries; undefined where nothing is delivered. */
export async function deliveryStatus(env: Env): Promise<DeliveryStatus | undefined> {
  try {
    return await deliveryObject(env)?.status();
  } catch {
    return { mail: 'late', webhooks: 'late' };
  }
}

/** Stops the e-mail of an account, and returns whether it succeeded. */
export async function unsubscribeAccount(env: Env, account: string): Promise<boolean> {
  try {
    return (await deliveryObject(env)?.unsubscribe(account)) ?? false;
  } catch {
    return false;
  }
}
