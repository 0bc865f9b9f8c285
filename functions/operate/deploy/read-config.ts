/** Reads the files of a deployment: wrangler.toml and .environments.toml. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../local/problem.ts';
import { root } from '../../local/settings.ts';
import { requireWrangler } from '../../local/wrangler.ts';
import type { Environments } from './environments.ts';

export interface WranglerConfig {
  env: Record<string, WorkerConfig>;
}

/** The parts of an env that differ between environments. */
export interface WorkerConfig {
  name?: string | undefined;
  main?: string | undefined;
  routes?: (string | { pattern: string; custom_domain: true })[];
  vars?: Record<string, unknown> | undefined;
  hyperdrive?: { binding: string; id?: string | undefined }[] | undefined;
  ratelimits?: { name: string; namespace_id: string }[] | undefined;
  durable_objects?: { bindings: { name: string; class_name: string; script_name?: string }[] } | undefined;
  assets?: { directory: string } | undefined;
  secrets?: { required: string[] };
}

function readToml(file: string): unknown {
  try {
    return requireWrangler().experimental_readRawConfig({ config: join(root, file) }).rawConfig;
  } catch (error) {
    throw new Problem(`${file}: ${(error as Error).message}`);
  }
}

export const readWranglerConfig = (): WranglerConfig => readToml('wrangler.toml') as WranglerConfig;

const environmentsFile = '.environments.toml';

/** Without the file there are no environments. */
export const readEnvironments = (): Environments =>
  existsSync(join(root, environmentsFile)) ? (readToml(environmentsFile) as Environments) : {};
