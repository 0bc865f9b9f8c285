/**
 * `npm run deploy`: deploys the workers of an environment one after the other, unless a setting or a secret is missing.
 * `--check` only reports what is missing. `--rehearse` uploads each worker as a version that serves no requests. `--dry-run`
 * only bundles them, without contacting Cloudflare; it needs no settings.
 */
import { parseArgs } from 'node:util';
import { configOf, nameOf } from './deploy/config.ts';
import { checkEnvironment, settingsOf } from './deploy/environments.ts';
import { readEnvironments, readWranglerConfig } from './deploy/read-config.ts';
import { checkSecrets } from './deploy/secrets.ts';
import { describeState, runWrangler } from './deploy/upload.ts';
import { servingWorkers } from './deploy/workers.ts';
import { endWithReader } from './output.ts';
import { exitWith, Problem } from './problem.ts';
import { findUnreadVersions } from './relied-on.ts';

const usage = 'Usage: npm run deploy [-- [--env <environment>] [--check | --rehearse | --dry-run]]';

/** Wrangler's arguments for each worker, by mode. */
const commands = {
  deploy: ['deploy'],
  rehearse: ['versions', 'upload'],
  'dry-run': ['deploy', '--dry-run'],
  check: undefined,
};
const modes = ['check', 'rehearse', 'dry-run'] as const;

function readArguments() {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const env = { type: 'string', default: 'production' } as const;
    const { values } = parseArgs({ options: { env, check: flag, rehearse: flag, 'dry-run': flag } });
    const [mode, other] = modes.filter(name => values[name]);
    if (other !== undefined) {
      throw new Error(`--${mode} and --${other} cannot be combined.`);
    }
    return { environment: values.env, mode: mode ?? ('deploy' as const) };
  } catch (error) {
    throw new Problem(`${(error as Error).message} ${usage}`);
  }
}

endWithReader();
try {
  const { environment, mode } = readArguments();
  const environments = readEnvironments();
  const missing = [...findUnreadVersions(), ...checkEnvironment(environments, environment)];
  if (mode !== 'dry-run') {
    missing.push(...(await checkSecrets(servingWorkers.map(worker => nameOf(worker, environment)))));
    if (missing.length > 0) {
      throw new Problem(`${missing.join('\n')}\nNothing was uploaded.`);
    }
  }
  const config =
    missing.length === 0
      ? configOf(readWranglerConfig(), environment, settingsOf(environments, environment))
      : undefined;
  const command = commands[mode];
  const left = command ? runWrangler(command, config) : [];
  if (left.length > 0) {
    throw new Problem(mode === 'deploy' ? describeState(left, environment) : 'The deployment is unchanged.');
  }
  if (mode === 'check') {
    console.log('Nothing is missing. npm run deploy will upload the workers.');
  } else if (missing.length > 0) {
    console.log(`${missing.join('\n')}\nThe workers were bundled without these settings.`);
  }
} catch (error) {
  exitWith(error);
}
