/** `npm run deploy -- --check`: what a deployment needs before anything is uploaded. */
import type { Deployment } from './deployment.ts';
import { checkIds } from './ids.ts';
import { checkRoutes } from './routes.ts';
import { checkSecrets } from './secrets.ts';
import { findMissing } from './workers.ts';

/** What is missing, a text each; those about settings are one line. Asks Cloudflare for the names of the secrets. */
export const checkDeployment = async (deployment: Deployment): Promise<string[]> => [
  ...findMissing(deployment),
  ...checkIds(deployment),
  ...checkRoutes(deployment),
  ...(await checkSecrets(deployment)),
];
