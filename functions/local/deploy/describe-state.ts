/** What a deployment that stopped has left. */
import { nameOf } from './config.ts';
import { workers } from './workers.ts';

/** Says which workers are new and which are not, how to go on, and how to go back. `left` begins with the one that failed. */
export function describeState(left: string[], environment: string): string {
  const [failed = '', ...unchanged] = left.map(worker => nameOf(worker, environment));
  const deployed = workers.slice(0, -left.length).map(worker => nameOf(worker, environment));
  return [
    `${failed} was not deployed. What runs of it: npx wrangler deployments status --name ${failed}`,
    `As before: ${unchanged.join(', ') || 'none'}. Deployed: ${deployed.join(', ') || 'none'}.`,
    `To go on: npm run deploy -- --env ${environment}`,
    ...(deployed.length > 0 ? ['To go back:'] : []),
    ...deployed.reverse().map(worker => `npx wrangler rollback --name ${worker}`),
  ].join('\n');
}
