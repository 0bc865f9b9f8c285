import type { Env } from './common/env.ts';
import { sweep } from './sweep/sweep.ts';

/**
 * The worker of the cron, and named as its card has it: it runs all eight jobs of schema/sweep-jobs.ts, of which the expiry of quotes
 * is one. It serves no requests.
 */
export default {
  scheduled: (_controller, env) => sweep(env),
} satisfies ExportedHandler<Env>;
