/** The workers of a deployment. */
import { collections } from '../../../schema/collections.ts';

/** Collections that another worker than their own serves. */
const servedBy: Record<string, string> = {
  quote_events: 'quotes',
  quote_offers: 'quotes',
  quote_links: 'quotes',
  deliveries: 'delivery',
};

/** Returns the worker that serves a collection. */
export const workerOf = (collection: string): string => servedBy[collection] ?? collection;

/**
 * Each is an env of wrangler.toml. `all`, another env, contains every one of them. `live` and `delivery` are deployed first,
 * since the others are bound to their objects.
 */
export const workers = [
  ...new Set(['live', 'delivery', ...collections.map(({ name }) => workerOf(name)), 'expiry']),
];

/** The workers that serve requests: all except the cron's. */
export const servingWorkers = workers.filter(worker => worker !== 'expiry');
