/** The workers of a deployment, and what the collections need of functions/ and of wrangler.toml. */
import { collections } from '../../../schema/collections.ts';
import type { Deployment } from './deployment.ts';

const collectionNames = collections.map(({ name }): string => name);

/**
 * Each is an env of wrangler.toml, as is `all`, which has every one of them in it. They are deployed in this order: the
 * others are bound to an object of `live`.
 */
export const workers = ['live', ...collectionNames, 'reference', 'expiry'];

/** All but the worker of the cron serve requests. */
export const servingWorkers = workers.filter(worker => worker !== 'expiry');

/** What the checkout lacks, or has too much: for each a text that says where, and what to write there. */
export const findMissing = (deployment: Deployment): string[] => [
  ...collectionNames.flatMap(name => checkEntry(name, deployment)),
  ...workers.flatMap(name => checkEnv(name, deployment)),
  ...Object.keys(deployment.config.env)
    .filter(name => name !== 'all' && !workers.includes(name))
    .map(name => `wrangler.toml has [env.${name}], but schema/collections.ts has no ${name}.`),
];

const entryOf = (name: string): string => `import { ${name} } from '../schema/${name}.ts';
import { createApp } from './app/app.ts';

export default createApp(${name});
`;

function checkEntry(name: string, { readEntry }: Deployment): string[] {
  const expected = entryOf(name);
  return readEntry(`${name}.ts`) === expected ? [] : [`functions/${name}.ts must read:\n\n${expected}`];
}

function checkEnv(name: string, { toml, config }: Deployment): string[] {
  const env = config.env[name];
  if (env === undefined) {
    return [`wrangler.toml has no [env.${name}]. Add:\n\n${copyEnv(toml, name)}`];
  }
  const expected = { name: workerName(name), main: `functions/${name}.ts` };
  return Object.entries(expected)
    .filter(([key, value]) => env[key as keyof typeof expected] !== value)
    .map(([key, value]) => `wrangler.toml: [env.${name}] needs ${key} = "${value}".`);
}

/** Cloudflare's names of workers have no underscores. */
const workerName = (name: string): string => `uniform-builder-${name.replaceAll('_', '-')}`;

/** The sections of the first collection's worker, for another one; without the object of live updates if there are none of it. */
function copyEnv(toml: string, name: string): string {
  const [first = ''] = collectionNames;
  const isLive = collections.some(collection => collection.name === name && collection.live);
  const sections = toml
    .split(/^(?=\[)/m)
    .filter(section => /^\[+env\.(\w+)/.exec(section)?.[1] === first)
    .filter(section => isLive || !section.includes('durable_objects'));
  return sections
    .join('')
    .replace(/^#.*\n/gm, '')
    .replaceAll(first, name)
    .replace(`"uniform-builder-${name}"`, `"${workerName(name)}"`);
}
