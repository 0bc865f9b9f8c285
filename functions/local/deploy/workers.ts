/** The workers of a deployment, and what each of them needs in functions/ and in wrangler.toml. */
import { collections } from '../../../schema/collections.ts';

const collectionNames = collections.map(({ name }): string => name);

/**
 * Each is an env of wrangler.toml, as is `all`, which has every one of them in it. They are deployed in this order: the
 * others are bound to an object of `live`.
 */
export const workers = ['live', ...collectionNames, 'reference', 'expiry'];

export interface Deployment {
  /** wrangler.toml, as it is written and as it is read. */
  toml: string;
  envs: Record<string, WorkerConfig>;
  /** The text of a file in functions/, if there is such a file. */
  readEntry(file: string): string | undefined;
}

export interface WorkerConfig {
  name?: string | undefined;
  main?: string | undefined;
  routes?: (string | { pattern: string })[] | undefined;
}

/** What a deployment lacks, or has too much: for each a text that says where, and what to write there. */
export const findMissing = (deployment: Deployment): string[] => [
  ...collectionNames.flatMap(name => checkEntry(name, deployment)),
  ...workers.flatMap(name => checkEnv(name, deployment)),
  ...checkRoutes(deployment),
  ...Object.keys(deployment.envs)
    .filter(name => name !== 'all' && !workers.includes(name))
    .map(name => `wrangler.toml has [env.${name}], but schema/collections.ts has no ${name}.`),
];

const entryOf = (name: string): string => `import { ${name} } from '../schema/${name}.ts';
import { createApp } from './app.ts';

export default createApp(${name});
`;

function checkEntry(name: string, { readEntry }: Deployment): string[] {
  const expected = entryOf(name);
  return readEntry(`${name}.ts`) === expected ? [] : [`functions/${name}.ts must read:\n\n${expected}`];
}

function checkEnv(name: string, { toml, envs }: Deployment): string[] {
  const env = envs[name];
  if (env === undefined) {
    return [`wrangler.toml has no [env.${name}]. Add:\n\n${copyEnv(toml, name)}`];
  }
  const expected = { name: `uniform-builder-${name}`, main: `functions/${name}.ts` };
  return Object.entries(expected)
    .filter(([key, value]) => env[key as keyof typeof expected] !== value)
    .map(([key, value]) => `wrangler.toml: [env.${name}] needs ${key} = "${value}".`);
}

/**
 * The sections of the first collection's worker, for another one; without the object of live updates if there are none of
 * it. Its routes are added by checkRoutes.
 */
function copyEnv(toml: string, name: string): string {
  const [first = ''] = collectionNames;
  const isLive = collections.some(collection => collection.name === name && collection.live);
  const sections = toml
    .split(/^(?=\[)/m)
    .filter(section => /^\[+env\.(\w+)/.exec(section)?.[1] === first)
    .filter(section => isLive || !section.includes('durable_objects'));
  return sections
    .join('')
    .replace(/^(?:#|routes).*\n/gm, '')
    .replaceAll(first, name);
}

/** The paths that a worker answers, as the routes of wrangler.toml write them. */
function pathsOf(worker: string): string[] {
  switch (worker) {
    case 'expiry':
      return [];
    case 'live':
      return ['/realtime/v1/*'];
    case 'reference':
      return ['/', '/reference/*', '/rest/v1/'];
    case 'quotes':
      return ['/rest/v1/quotes*', '/rest/v1/rpc/*', '/health'];
    default:
      return [`/rest/v1/${worker}*`];
  }
}

const patternsOf = ({ routes = [] }: WorkerConfig): string[] =>
  routes.map(route => (typeof route === 'string' ? route : route.pattern));

/** Without any route the workers are at their own workers.dev addresses, and none is missing. */
function checkRoutes({ envs }: Deployment): string[] {
  const [known] = Object.values(envs).flatMap(patternsOf);
  if (known === undefined) {
    return [];
  }
  const host = known.replace(/\/.*$/, '');
  return workers.flatMap(name => {
    const routed = patternsOf(envs[name] ?? {}).map(pattern => pattern.replace(/^[^/]*/, ''));
    return pathsOf(name)
      .filter(path => !routed.includes(path))
      .map(path => `wrangler.toml: the routes of [env.${name}] need { pattern = "${host}${path}", … }.`);
  });
}
