/** The worker that delivers: e-mail and webhooks. Of requests it serves the page where an account stops its e-mail. */

import { crash, finish } from './app/finish.ts';
import { notFound } from './app/not-found.ts';
import { newRouter } from './common/router.ts';
import { unsubscribePath } from './delivery/unsubscribe.ts';
import { unsubscribe } from './routes/unsubscribe.ts';

export { Delivery } from './delivery/delivery.ts';

const app = newRouter();
// Whatever follows is taken for the token, so that no log has it.
app.all(`${unsubscribePath}*`, ({ req, env }) =>
  unsubscribe(req.raw, req.path.slice(unsubscribePath.length), env),
);
app.notFound(({ req }) => finish(req.raw, notFound(req.path, [])));
app.onError((error, { req }) => crash(req.raw, error));

export default app;
