/** The worker that delivers e-mail and calls webhooks. It serves the list of deliveries and the page for unsubscribing. */
import { deliveries } from '../schema/deliveries.ts';
import { described } from './app/described.ts';
import { health } from './app/health.ts';
import { hooks } from './app/hooks.ts';
import { unsubscribePath } from './delivery/unsubscribe.ts';
import { unsubscribe } from './delivery/unsubscribe-endpoint.ts';
import { createRest } from './rest/rest.ts';

export { Delivery } from './delivery/delivery-durable-object.ts';

export default createRest({
  hooks,
  collections: [deliveries],
  described,
  // The rest of the path counts as the token, so that it never appears in a log.
  endpoints: { '/health': health, [`${unsubscribePath}*`]: unsubscribe },
});
