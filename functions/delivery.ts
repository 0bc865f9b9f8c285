/** The worker that delivers e-mail and calls webhooks. It serves the list of deliveries and the page for unsubscribing. */
import { deliveries } from '../schema/deliveries.ts';
import { createApp } from './app/app.ts';
import { serve } from './app/serve.ts';
import { unsubscribePath } from './delivery/unsubscribe.ts';
import { unsubscribe } from './routes/unsubscribe.ts';

export { Delivery } from './delivery/delivery.ts';

const app = createApp(deliveries);
// The rest of the path counts as the token, so that it never appears in a log.
app.all(`${unsubscribePath}*`, serve(unsubscribe));

export default app;
