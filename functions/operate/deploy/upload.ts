/** Deploys the workers by wrangler, one after the other. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitWith, Problem } from '../../local/program.ts';
import { root } from '../../local/settings.ts';
import { wrangler } from '../../local/wrangler.ts';
import { type Secrets, secretsOf } from './secrets-file.ts';
import { workers } from './workers.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Deploys each worker with its secrets. Stops at the first that wrangler, which prints the error, does not deploy. The secrets go
 * through a pipe with a name, since a file would stay when this program is killed. Only this user can read it.
 */
export async function upload(config: object, secrets: Secrets): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'deploy-'));
  const pipe = join(directory, 'secrets');
  // What wrangler has not read waits for a reader, and this program for it.
  const openPipe = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  process.once('exit', () => {
    openPipe();
    rmSync(directory, { recursive: true, force: true });
  });
  execFileSync('mkfifo', ['-m', '600', pipe]);
  const file = join(directory, 'wrangler.json');
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  console.log(
    'Wrangler does not know redact_query_string, and warns each time. It is uploaded all the same.',
  );
  for (const worker of workers) {
    const own = secretsOf(worker, secrets);
    const options = ['--config', file, '--env', worker];
    if (Object.keys(own).length === 0) {
      await deploy(worker, options);
    } else {
      const written = writeFile(pipe, JSON.stringify(own));
      await deploy(worker, [...options, '--secrets-file', pipe]);
      const reader = openPipe();
      await written.catch(() => {});
      closeSync(reader);
    }
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
