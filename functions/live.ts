/** The worker of live updates: `supabase.channel(…).on('postgres_changes', …)`. */

import { crash, finish } from './app/finish.ts';
import { notFound } from './app/not-found.ts';
import { newRouter } from './common/router.ts';
import { livePath, upgrade } from './live/objects.ts';

export { Live } from './live/object.ts';

const app = newRouter();
app.get(livePath, async ({ req, env }) => {
  const upgraded = await upgrade(req.raw, env);
  return upgraded.ok ? upgraded.value : finish(req.raw, upgraded);
});
app.notFound(({ req }) => finish(req.raw, notFound(req.path, [])));
app.onError((error, { req }) => crash(req.raw, error));

export default app;
