/** The worker that delivers: e-mail and webhooks. Of requests it serves the page where an account stops its e-mail. */
import { serve } from './app/endpoint.ts';
import { newApp } from './app/new-app.ts';
import { unsubscribePath } from './delivery/unsubscribe.ts';
import { unsubscribe } from './routes/unsubscribe.ts';

export { Delivery } from './delivery/delivery.ts';

const app = newApp();
// Whatever follows is taken for the token, so that no log has it.
app.all(`${unsubscribePath}*`, serve(unsubscribe));

export default app;
