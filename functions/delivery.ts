/** The worker that delivers e-mail and calls webhooks. It serves the list of deliveries and the page for unsubscribing. */
import { deliveries } from '../schema/deliveries.ts';
import { unsubscribePath } from './delivery/unsubscribe.ts';
import { unsubscribe } from './delivery/unsubscribe-endpoint.ts';
import { createApp } from './rest/app.ts';
import { serve } from './rest/serve.ts';

export { Delivery } from './delivery/outbox-object.ts';

const app = createApp(deliveries);
// The rest of the path counts as the token, so that it never appears in a log.
app.all(`${unsubscribePath}*`, serve(unsubscribe));

export default app;
