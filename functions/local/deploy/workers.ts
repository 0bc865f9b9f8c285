/** The workers of a deployment. */
import { collections } from '../../../schema/collections.ts';

/**
 * Each is an env of wrangler.toml, as is `all`, which has every one of them in it. They are deployed in this order: the
 * others are bound to objects of `live` and of `delivery`.
 */
export const workers = [
  ...['live', 'delivery'],
  ...collections.map(({ name }): string => name),
  ...['reference', 'expiry'],
];

/** All but the worker of the cron serve requests. */
export const servingWorkers = workers.filter(worker => worker !== 'expiry');
