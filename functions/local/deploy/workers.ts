/** The workers of a deployment. */
import { collections } from '../../../schema/collections.ts';

/**
 * Each is an env of wrangler.toml. `all`, another env, contains every one of them. `live` and `delivery` are deployed first,
 * since the others are bound to their objects. `quotes` serves quote_offers too.
 */
export const workers = [
  ...['live', 'delivery'],
  ...collections.map(({ name }): string => name).filter(name => name !== 'quote_offers'),
  ...['reference', 'expiry'],
];

/** The workers that serve requests: all except the cron's. */
export const servingWorkers = workers.filter(worker => worker !== 'expiry');
