/** The ids that each deployment has of its own. wrangler.toml has zeros in their place until they are set. */
import type { Deployment } from './deployment.ts';
import { workers } from './workers.ts';

const isUnset = (id = ''): boolean => /^0*$/.test(id);

export const checkIds = (deployment: Deployment): string[] => [
  ...checkHyperdrives(deployment),
  ...checkNamespaces(deployment),
];

/** A line for each binding without the id of a Hyperdrive configuration. */
const checkHyperdrives = ({ envs }: Deployment): string[] =>
  workers.flatMap(worker =>
    (envs[worker]?.hyperdrive ?? [])
      .filter(({ id }) => isUnset(id))
      .map(
        ({ binding }) =>
          `wrangler.toml: ${binding} of [env.${worker}] needs the id of a Hyperdrive configuration: npx wrangler hyperdrive list`,
      ),
  );

/**
 * A line for each rate limit that doesn't count by itself. The workers share a limit's namespace, as they share the counts
 * of a caller. Cloudflare can't be asked which ids others in the account use.
 */
function checkNamespaces({ envs }: Deployment): string[] {
  const bound = workers.flatMap(worker => envs[worker]?.ratelimits ?? []);
  const names = [...new Set(bound.map(({ name }) => name))];
  const idsOf = (name: string) => [
    ...new Set(bound.filter(limit => limit.name === name).map(({ namespace_id: id }) => id)),
  ];
  return names.flatMap((name, at) => {
    const ids = idsOf(name);
    if (ids.some(isUnset)) {
      return [
        `wrangler.toml: ${name} needs a namespace_id: a whole number that nothing else in the Cloudflare account uses, the same in each env.`,
      ];
    }
    if (ids.length > 1) {
      return [`wrangler.toml: ${name} needs the same namespace_id in each env; it has ${ids.join(', ')}.`];
    }
    const other = names.slice(0, at).find(other => idsOf(other).includes(ids[0] ?? ''));
    return other === undefined
      ? []
      : [
          `wrangler.toml: ${name} needs another namespace_id than ${other}, or each counts the other's requests.`,
        ];
  });
}
