/** The API reference: a page for people at `/`, and the OpenAPI document for programs at `/rest/v1/`. */
import { collections } from '../../schema/collections.ts';
import { apiRoot, openApiPath } from '../rest/api-root.ts';
import { newApp } from '../rest/new-app.ts';
import { serve } from '../rest/serve.ts';
import { referenceEndpoints } from './reference.ts';

const app = newApp(collections);
const root = serve(apiRoot(collections));
app.all('/rest/v1', root);
app.all('/rest/v1/', root);
app.all(openApiPath, root);
for (const [path, endpoint] of Object.entries(referenceEndpoints)) {
  app.get(path, serve(endpoint));
}

export default app;
