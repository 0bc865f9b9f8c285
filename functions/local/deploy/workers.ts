/** The workers of a deployment. */
import { collections } from '../../../schema/collections.ts';

/** Collections that another collection's worker serves. */
const servedBeside: Record<string, string> = { quote_offers: 'quotes' };

/** Returns the worker that serves a collection. */
export const workerOf = (collection: string): string => servedBeside[collection] ?? collection;

/**
 * Each is an env of wrangler.toml. `all`, another env, contains every one of them. `live` and `delivery` are deployed first,
 * since the others are bound to their objects.
 */
export const workers = [
  ...['live', 'delivery'],
  ...new Set(collections.map(({ name }) => workerOf(name))),
  ...['reference', 'expiry'],
];

/** The workers that serve requests: all except the cron's. */
export const servingWorkers = workers.filter(worker => worker !== 'expiry');
