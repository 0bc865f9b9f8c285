/** What the checkout would deploy, and where: wrangler.toml, the files that it names, and .environments.toml. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { root } from '../settings.ts';
import { requireWrangler } from '../wrangler.ts';
import type { Deployment } from './deployment.ts';
import type { Environments } from './environments.ts';

function readToml(file: string): unknown {
  try {
    return requireWrangler().experimental_readRawConfig({ config: join(root, file) }).rawConfig;
  } catch (error) {
    throw new Problem(`${file}: ${(error as Error).message}`);
  }
}

export const readDeployment = (): Deployment => ({
  toml: readFileSync(join(root, 'wrangler.toml'), 'utf8'),
  config: readToml('wrangler.toml') as Deployment['config'],
  readEntry(name) {
    const file = join(root, 'functions', name);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  },
});

export const readEnvironments = (): Environments => readToml('.environments.toml') as Environments;
