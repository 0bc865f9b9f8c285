/**
 * `npm run deploy`: deploys the workers one after the other, once wrangler.toml has each of them. Arguments after `--`
 * go to `wrangler deploy`.
 */
import { spawnSync } from 'node:child_process';
import { readDeployment } from './deploy/read-deployment.ts';
import { findMissing, workers } from './deploy/workers.ts';
import { exitWith, Problem } from './problem.ts';
import { root } from './settings.ts';
import { wrangler } from './wrangler.ts';

function deploy(worker: string, args: string[]): void {
  const command = [wrangler, 'deploy', '--env', worker, ...args];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    throw new Problem(`The worker ${worker} was not deployed, nor those after it.`);
  }
}

try {
  const missing = findMissing(readDeployment());
  if (missing.length > 0) {
    throw new Problem(missing.join('\n'));
  }
  for (const worker of workers) {
    deploy(worker, process.argv.slice(2));
  }
} catch (error) {
  exitWith(error);
}
