/** What a checkout lacks of the workers of its collections, with the text to add. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWranglerConfig, type WorkerConfig } from '../functions/local/deploy/read-config.ts';
import { workers } from '../functions/local/deploy/workers.ts';
import { collections } from '../schema/collections.ts';
import { root } from './setup/files.ts';

/** Returns a text for each file, env or setting that is missing or one too many: where, and what to write there. */
export function findMissing(): string[] {
  const { env } = readWranglerConfig();
  const superfluous = Object.keys(env).filter(name => name !== 'all' && !workers.includes(name));
  return [
    ...collections.flatMap(({ name }) => checkEntry(name)),
    ...workers.flatMap(name => checkEnv(name, env[name])),
    ...superfluous.map(name => `wrangler.toml has [env.${name}], but schema/collections.ts has no ${name}.`),
  ];
}

function checkEntry(name: string): string[] {
  const file = join(root, 'functions', `${name}.ts`);
  const expected = `import { ${name} } from '../schema/${name}.ts';
import { createApp } from './app/app.ts';

export default createApp(${name});
`;
  const isWritten = existsSync(file) && readFileSync(file, 'utf8') === expected;
  return isWritten ? [] : [`functions/${name}.ts must read:\n\n${expected}`];
}

function checkEnv(name: string, env: WorkerConfig | undefined): string[] {
  if (env === undefined) {
    return [`wrangler.toml has no [env.${name}]. Add:\n\n${copyEnv(name)}`];
  }
  const expected = { name: workerName(name), main: `functions/${name}.ts` };
  return (['name', 'main'] as const)
    .filter(key => env[key] !== expected[key])
    .map(key => `wrangler.toml: [env.${name}] needs ${key} = "${expected[key]}".`);
}

/** Cloudflare's names of workers have no underscores. */
const workerName = (name: string): string => `uniform-builder-${name.replaceAll('_', '-')}`;

/** The sections of the first collection's worker, for another one; without the object of live updates if there are none of it. */
function copyEnv(name: string): string {
  const [first = ''] = collections.map(collection => collection.name);
  const isLive = collections.some(collection => collection.name === name && collection.live);
  return readFileSync(join(root, 'wrangler.toml'), 'utf8')
    .split(/^(?=\[)/m)
    .filter(section => /^\[+env\.(\w+)/.exec(section)?.[1] === first)
    .filter(section => isLive || !section.includes('durable_objects'))
    .join('')
    .replace(/^#.*\n/gm, '')
    .replaceAll(first, name)
    .replace(`"uniform-builder-${name}"`, `"${workerName(name)}"`);
}
