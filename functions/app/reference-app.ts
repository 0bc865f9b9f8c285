/** The API reference: a page for people at `/`, and the OpenAPI document for programs at `/rest/v1/`. */
import { collections } from '../../schema/collections.ts';
import { apiRoot, openApiPath } from '../openapi/openapi.ts';
import { referenceEndpoints } from '../reference/reference.ts';
import { newApp } from './new-app.ts';
import { serve } from './serve.ts';

const app = newApp(collections);
const root = serve(apiRoot(collections));
app.all('/rest/v1', root);
app.all('/rest/v1/', root);
app.all(openApiPath, root);
for (const [path, endpoint] of Object.entries(referenceEndpoints)) {
  app.get(path, serve(endpoint));
}

export default app;
