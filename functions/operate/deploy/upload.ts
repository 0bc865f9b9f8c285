/** Deploys the workers by wrangler, one after the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitWith, Problem } from '../../local/program.ts';
import { root } from '../../local/settings.ts';
import { wrangler } from '../../local/wrangler.ts';
import { type Secrets, secretsOf } from './secrets-file.ts';
import { workers } from './workers.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Deploys each worker with its secrets. Stops at the first that wrangler, which prints the error, does not deploy. The
 * configuration and the secrets are in files that only this user can read, and that are removed when the program ends.
 */
export async function upload(config: object, secrets: Secrets): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'deploy-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const write = (name: string, content: object): string => {
    const path = join(directory, name);
    writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
    return path;
  };
  const file = write('wrangler.json', config);
  for (const worker of workers) {
    const own = secretsOf(worker, secrets);
    const uploads = Object.keys(own).length > 0 ? ['--secrets-file', write(`${worker}.json`, own)] : [];
    await deploy(worker, ['--config', file, '--env', worker, ...uploads]);
  }
}

/** Throws a Problem when the worker is not deployed. A signal ends wrangler and this program. */
async function deploy(worker: string, options: string[]): Promise<void> {
  const child = spawn(process.execPath, [wrangler, 'deploy', ...options], { cwd: root, stdio: 'inherit' });
  const stopped = new Problem(
    `The deployment stopped at ${worker}. Wrangler's lines above say what is deployed. To continue, run the command again.`,
  );
  for (const signal of signals) {
    process.removeAllListeners(signal).once(signal, () => {
      child.kill(signal);
      exitWith(stopped);
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw stopped;
  }
}
