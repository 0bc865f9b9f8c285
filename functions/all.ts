/** Every collection and the cron in one worker: local, and for small deployments. */
import { Hono } from 'hono';
import { collections } from '../schema/collections.ts';
import { crash, finish, notFound } from './bundle.ts';
import type { Env } from './env.ts';
import graphics from './graphics.ts';
import notifications from './notifications.ts';
import quotes from './quotes.ts';
import reference from './reference.ts';
import { sweep } from './sweep.ts';

export { DatabasePool } from './database/pool.ts';

const app = new Hono<{ Bindings: Env }>();
// The first to have a path answers it: `/rest/v1/` is the reference's, which knows every collection.
for (const bundle of [reference, quotes, graphics, notifications]) {
  app.route('/', bundle);
}
app.notFound(({ req }) =>
  finish(
    req.raw,
    notFound(
      req.path,
      collections.map(({ name }) => name),
    ),
  ),
);
app.onError((error, { req }) => crash(req.raw, error));

export default {
  fetch: app.fetch,
  scheduled: (_controller, env) => sweep(env),
} satisfies ExportedHandler<Env>;
