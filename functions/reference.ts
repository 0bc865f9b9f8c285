/** The reference of all collections: a page for people at `/`, and the OpenAPI document for programs at `/rest/v1/`. */

import { collections } from '../schema/collections.ts';
import { crash, finish } from './app/finish.ts';
import { notFound } from './app/not-found.ts';
import { newRouter } from './common/router.ts';
import { apiRoot } from './openapi/openapi.ts';
import { serveDemo } from './reference/demo.ts';
import { servePage } from './reference/reference.ts';

const app = newRouter();
app.route('/', apiRoot(collections));
app.route('/', servePage());
app.route('/', serveDemo());
app.notFound(({ req }) => finish(req.raw, notFound(req.path, collections)));
app.onError((error, { req }) => crash(req.raw, error));

export default app;
