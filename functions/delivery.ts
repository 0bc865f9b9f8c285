/** The worker that delivers e-mail and calls webhooks. It serves the list of deliveries and the page for unsubscribing. */
import { deliveries as collection } from '../schema/deliveries.ts';
import { joinApps } from './app/new-app.ts';
import { serve } from './app/serve.ts';
import deliveries from './deliveries.ts';
import { unsubscribePath } from './delivery/unsubscribe.ts';
import { unsubscribe } from './routes/unsubscribe.ts';

export { Delivery } from './delivery/delivery.ts';

const app = joinApps([deliveries], [collection]);
// The rest of the path counts as the token, so that it never appears in a log.
app.all(`${unsubscribePath}*`, serve(unsubscribe));

export default app;
