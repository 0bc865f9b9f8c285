/** The reference of all collections: for people a page at `/`, for programs the OpenAPI document at `/rest/v1/`. */
import { Hono } from 'hono';
import { collections } from '../schema/collections.ts';
import { crash, finish, notFound } from './app.ts';
import type { Env } from './common/env.ts';
import { apiRoot } from './openapi/api-root.ts';
import { servePage } from './reference/serve-page.ts';

const names = collections.map(({ name }) => name);
const app = new Hono<{ Bindings: Env }>();
app.route('/', apiRoot(collections));
app.route('/', servePage());
app.notFound(({ req }) => finish(req.raw, notFound(req.path, names)));
app.onError((error, { req }) => crash(req.raw, error));

export default app;
