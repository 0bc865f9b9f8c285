/** What the checkout would deploy: wrangler.toml, and the files that it names. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';
import { requireWrangler } from '../wrangler.ts';
import type { Deployment } from './deployment.ts';

export function readDeployment(): Deployment {
  const config = join(root, 'wrangler.toml');
  const { experimental_readRawConfig } = requireWrangler();
  return {
    toml: readFileSync(config, 'utf8'),
    envs: experimental_readRawConfig({ config }).rawConfig.env ?? {},
    readEntry(name) {
      const file = join(root, 'functions', name);
      return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    },
  };
}
