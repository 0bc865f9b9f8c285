/** Reads the files of a deployment: wrangler.toml and .environments.toml. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { Problem } from '../../local/program.ts';
import { root } from '../../local/settings.ts';
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

/** Parses TOML. Throws a Problem with the place of an error. */
function parseToml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Problem(`${file}: ${(error as Error).message}`);
  }
}

const readText = (file: string): string => readFileSync(join(root, file), 'utf8');

export const readWranglerConfig = (): WranglerConfig =>
  parseToml(readText('wrangler.toml'), 'wrangler.toml') as WranglerConfig;

export const environmentsFile = '.environments.toml';

/** Without the file there are no environments. */
export const readEnvironments = (): Environments =>
  parseToml(
    existsSync(join(root, environmentsFile)) ? readText(environmentsFile) : '',
    environmentsFile,
  ) as Environments;
