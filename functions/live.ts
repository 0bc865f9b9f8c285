/** The worker of live updates: `supabase.channel(…).on('postgres_changes', …)`. */

import { newApp } from './app/new-app.ts';
import { finish } from './app/serve.ts';
import { livePath, upgrade } from './live/object.ts';

export { Live } from './live/object.ts';

const app = newApp();
app.get(livePath, async ({ req, env }) => {
  const upgraded = await upgrade(req.raw, env);
  return upgraded.ok ? upgraded.value : finish(req.raw, upgraded);
});

export default app;
