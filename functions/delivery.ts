/** The worker that delivers e-mail and calls webhooks. It serves only the page for unsubscribing from e-mail. */

import { newApp } from './app/new-app.ts';
import { serve } from './app/serve.ts';
import { unsubscribePath } from './delivery/unsubscribe.ts';
import { unsubscribe } from './routes/unsubscribe.ts';

export { Delivery } from './delivery/delivery.ts';

const app = newApp();
// The rest of the path counts as the token, so that it never appears in a log.
app.all(`${unsubscribePath}*`, serve(unsubscribe));

export default app;
