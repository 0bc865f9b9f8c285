/**
 * `npm run deploy`: deploys the workers one after the other, once nothing is missing. With `--check` it only says what is.
 * Other arguments after `--` go to `wrangler deploy`.
 */
import { spawnSync } from 'node:child_process';
import { checkDeployment } from './deploy/check.ts';
import { readDeployment } from './deploy/read-deployment.ts';
import { workers } from './deploy/workers.ts';
import { exitWith, Problem } from './problem.ts';
import { root } from './settings.ts';
import { wrangler } from './wrangler.ts';

/** Whether wrangler did it; what went wrong, it has said. */
function deploy(worker: string, args: string[]): boolean {
  const command = [wrangler, 'deploy', '--env', worker, ...args];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status === 0;
}

function deployAll(args: string[]): void {
  const failed = workers.find(worker => !deploy(worker, args));
  if (failed !== undefined) {
    throw new Problem(`The worker ${failed} was not deployed, nor those after it.`);
  }
}

try {
  const args = process.argv.slice(2);
  const missing = await checkDeployment(readDeployment());
  if (missing.length > 0) {
    throw new Problem(`${missing.join('\n')}\nNothing was uploaded.`);
  }
  if (args.includes('--check')) {
    console.log('Nothing is missing: npm run deploy uploads the workers.');
  } else {
    deployAll(args);
  }
} catch (error) {
  exitWith(error);
}
