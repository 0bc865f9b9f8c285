/** The worker of live updates: `supabase.channel(…).on('postgres_changes', …)`. */

import { livePath, upgrade } from './live/upgrade.ts';
import { newApp } from './rest/new-app.ts';
import { finish } from './rest/serve.ts';

export { Live } from './live/live-durable-object.ts';

const app = newApp();
app.get(livePath, async ({ req, env }) => {
  const upgraded = await upgrade(req.raw, env);
  return upgraded.ok ? upgraded.value : finish(req.raw, upgraded);
});

export default app;
