/** Passes the workers to wrangler one after the other, and describes the state when one fails. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result } from '../../common/failure/result.ts';
import { root } from '../../local/settings.ts';
import { wrangler } from '../../local/wrangler.ts';
import type { Version } from './deployments.ts';
import { type Secrets, secretsOf } from './secrets.ts';
import { workers } from './workers.ts';

interface Upload {
  /** Whether the workers are only bundled. */
  isDryRun?: boolean;
  /** Without it wrangler reads wrangler.toml, whose ids are zeros: enough to bundle. */
  config?: object | undefined;
  secrets: Secrets;
}

/**
 * Returns the worker at which wrangler failed, which also prints the error, or undefined. The configuration and the secrets
 * are in files that only this user can read, and that are removed when the program ends.
 */
export async function runWrangler({ isDryRun, config, secrets }: Upload): Promise<string | undefined> {
  const directory = mkdtempSync(join(tmpdir(), 'deploy-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const write = (name: string, content: object): string => {
    const path = join(directory, name);
    writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
    return path;
  };
  const file = config ? write('wrangler.json', config) : join(root, 'wrangler.toml');
  const command = ['deploy', ...(isDryRun ? ['--dry-run'] : []), '--config', file];
  for (const worker of workers) {
    const own = secretsOf(worker, secrets);
    const uploads = Object.keys(own).length > 0 ? ['--secrets-file', write(`${worker}.json`, own)] : [];
    if (!(await succeeds([wrangler, ...command, '--env', worker, ...uploads]))) {
      return worker;
    }
  }
  return undefined;
}

/**
 * Runs wrangler. A signal ends it and not this program, which must still remove the files and describe the state. Wrangler that
 * was ended by a signal exits with 0.
 */
async function succeeds(args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  let isStopped = false;
  const stop = (signal: NodeJS.Signals) => {
    isStopped = true;
    child.kill(signal);
  };
  for (const signal of signals) {
    // Wrangler, which was loaded to read the configuration, would exit with 0.
    process.removeAllListeners(signal).on(signal, stop);
  }
  const [code] = await once(child, 'close');
  for (const signal of signals) {
    process.off(signal, stop);
  }
  return code === 0 && !isStopped;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A worker of an environment, and the version that served before the deployment. */
export interface Deployed {
  name: string;
  before: Version;
}

interface State {
  /** The workers in their order. */
  all: Deployed[];
  failed: Deployed;
  /** The failed worker's version now, or why it is unknown. */
  now: Result<Version, string>;
  /** The command that continues. */
  command: string;
}

/** Describes which workers were deployed, and how to continue or go back. */
export function describeState({ all, failed, now, command }: State): string {
  const index = all.indexOf(failed);
  const isNew = now.ok && now.value !== failed.before;
  const changed = all.slice(0, isNew ? index + 1 : index);
  const names = (some: Deployed[]) => some.map(({ name }) => name).join(', ') || 'none';
  return [
    describeFailed(failed, now),
    `Deployed: ${names(changed)}. Unchanged: ${names(all.slice(now.ok && !isNew ? index : index + 1))}.`,
    `To continue: ${command}`,
    ...(changed.length > 0 ? ['To go back (routes, domains and schedules stay):'] : []),
    ...changed.reverse().map(goBack),
  ].join('\n');
}

function describeFailed({ name, before }: Deployed, now: Result<Version, string>): string {
  if (!now.ok) {
    return `Whether ${name} was deployed is unknown: npx wrangler deployments list --name ${name}. Wrangler says: ${now.failure}`;
  }
  if (now.value === before) {
    return `${name} was not deployed. Its version: ${before ?? 'none'}.`;
  }
  return `${name} was deployed, but its routes, domain or schedule may be missing or those of before. Its version: ${now.value}.`;
}

const goBack = ({ name, before }: Deployed): string =>
  before === undefined
    ? `npx wrangler delete --name ${name}   (it had no version before)`
    : `npx wrangler rollback ${before} --name ${name}`;
