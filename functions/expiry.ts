import type { Env } from './common/env.ts';
import { sweep } from './sweep/sweep.ts';

/** The worker of the cron. It serves no requests. */
export default {
  scheduled: (_controller, env) => sweep(env),
} satisfies ExportedHandler<Env>;
