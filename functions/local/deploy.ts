/**
 * `npm run deploy`: deploys the workers of an environment one after the other, once nothing is missing. With `--check` it
 * only says what is; with `--rehearse` Cloudflare takes each as a version that serves nobody; with `--dry-run` they are
 * bundled, and Cloudflare is not asked anything.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { configOf, nameOf } from './deploy/config.ts';
import { describeState } from './deploy/describe-state.ts';
import { checkEnvironment, settingsOf } from './deploy/environments.ts';
import { readDeployment, readEnvironments } from './deploy/read-deployment.ts';
import { checkSecrets } from './deploy/secrets.ts';
import { findMissing, servingWorkers, workers } from './deploy/workers.ts';
import { exitWith, Problem } from './problem.ts';
import { root } from './settings.ts';
import { wrangler } from './wrangler.ts';

/** What wrangler is told of each worker. */
const commands = {
  deploy: ['deploy'],
  rehearse: ['versions', 'upload'],
  'dry-run': ['deploy', '--dry-run'],
} as const;

function readArguments() {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const env = { type: 'string', default: 'production' } as const;
    return parseArgs({ options: { env, check: flag, rehearse: flag, 'dry-run': flag } }).values;
  } catch (error) {
    throw new Problem(
      `${(error as Error).message} Usage: npm run deploy [-- [--env <environment>] [--check | --rehearse | --dry-run]]`,
    );
  }
}

/** Returns the workers that wrangler did not do, from the first that failed on. What went wrong, it has said. */
function runWrangler(command: readonly string[], config: object): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'deploy-'));
  const file = join(directory, 'wrangler.json');
  writeFileSync(file, JSON.stringify(config));
  try {
    const failed = workers.findIndex(worker => {
      const args = [wrangler, ...command, '--config', file, '--env', worker];
      return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0;
    });
    return failed === -1 ? [] : workers.slice(failed);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

try {
  const { env: environment, check, rehearse, 'dry-run': isDry } = readArguments();
  const deployment = readDeployment();
  const environments = readEnvironments();
  const missing = [...findMissing(deployment), ...checkEnvironment(environments, environment)];
  const settings = settingsOf(environments, environment);
  if (!isDry) {
    const serving = servingWorkers.map(worker => nameOf(worker, environment));
    missing.push(...(await checkSecrets(serving)));
  }
  if (missing.length > 0) {
    throw new Problem(`${missing.join('\n')}\nNothing was uploaded.`);
  }
  if (check) {
    console.log('Nothing is missing: npm run deploy uploads the workers.');
  } else {
    const mode = isDry ? 'dry-run' : rehearse ? 'rehearse' : 'deploy';
    const left = runWrangler(commands[mode], configOf(deployment, environment, settings));
    if (left.length > 0) {
      throw new Problem(
        mode === 'deploy' ? describeState(left, environment) : 'What is deployed is as it was.',
      );
    }
  }
} catch (error) {
  exitWith(error);
}
