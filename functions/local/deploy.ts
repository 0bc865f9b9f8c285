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

/** Whether wrangler did it; what went wrong, it has said. */
function deploy(worker: string, args: string[]): boolean {
  const command = [wrangler, 'deploy', '--env', worker, ...args];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status === 0;
}

try {
  const missing = findMissing(readDeployment());
  if (missing.length > 0) {
    throw new Problem(missing.join('\n'));
  }
  const failed = workers.find(worker => !deploy(worker, process.argv.slice(2)));
  if (failed !== undefined) {
    throw new Problem(`The worker ${failed} was not deployed, nor those after it.`);
  }
} catch (error) {
  exitWith(error);
}
