/**
 * `npm run deploy`: deploys the workers of an environment one after the other, unless a setting or a secret is missing.
 * `--secrets-file` uploads secrets with them. `--check` only reports what is missing. `--dry-run` only bundles them, without
 * contacting Cloudflare; it needs no settings.
 */
import { parseArgs } from 'node:util';
import { endWithReader } from '../../sql/output.ts';
import { exitWith, Problem } from '../local/problem.ts';
import { warnOfOtherVersions } from '../local/relied-on.ts';
import { configOf, nameOf } from './deploy/config.ts';
import { currentVersion } from './deploy/deployments.ts';
import { checkEnvironment, type Environments, settingsOf } from './deploy/environments.ts';
import { checkHyperdrive, unseen } from './deploy/hyperdrive.ts';
import { readEnvironments, readWranglerConfig } from './deploy/read-config.ts';
import { checkSecrets, readSecrets, type Secrets } from './deploy/secrets.ts';
import { type Deployed, describeState, runWrangler } from './deploy/upload.ts';
import { servingWorkers, workers } from './deploy/workers.ts';

const usage =
  'Usage: npm run deploy [-- [--env <environment>] [--secrets-file <file>] [--check | --dry-run]]';

const modes = ['check', 'dry-run'] as const;

interface Given {
  environment: string;
  mode: (typeof modes)[number] | 'deploy';
  secretsFile: string | undefined;
}

function readArguments(): Given {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const env = { type: 'string', default: 'production' } as const;
    const options = {
      env,
      'secrets-file': { type: 'string' },
      check: flag,
      'dry-run': flag,
    } as const;
    const { values } = parseArgs({ options });
    const [mode, other] = modes.filter(name => values[name]);
    const secretsFile = values['secrets-file'];
    if (other !== undefined || (mode === 'dry-run' && secretsFile !== undefined)) {
      throw new Error(`--${mode} and --${other ?? 'secrets-file'} cannot be combined.`);
    }
    return { environment: values.env, mode: mode ?? 'deploy', secretsFile };
  } catch (error) {
    throw new Problem(`${(error as Error).message} ${usage}`);
  }
}

/** Bundles the workers, with the settings of the environment if they are complete. */
async function bundle(environments: Environments, environment: string): Promise<void> {
  const missing = checkEnvironment(environments, environment);
  const config =
    missing.length === 0
      ? configOf(readWranglerConfig(), environment, settingsOf(environments, environment))
      : undefined;
  if ((await runWrangler({ isDryRun: true, config, secrets: {} })) !== undefined) {
    throw new Problem('A worker could not be bundled.');
  }
  if (missing.length > 0) {
    console.log(`${missing.join('\n')}\nThe workers were bundled without these settings.`);
  }
}

/** Throws a Problem with a line for all that is missing. */
async function check(environments: Environments, environment: string, secrets: Secrets): Promise<void> {
  const missing = checkEnvironment(environments, environment);
  const names = servingWorkers.map(worker => nameOf(worker, environment));
  const unset = await checkSecrets(names, secrets);
  missing.push(...(unset.ok ? unset.value : [unset.failure]));
  // Only valid ids are asked for, and nothing when Cloudflare did not list the secrets.
  if (unset.ok && checkEnvironment(environments, environment).length === 0) {
    missing.push(...(await checkHyperdrive(settingsOf(environments, environment))));
  }
  if (missing.length > 0) {
    throw new Problem(`${missing.join('\n')}\nNothing was uploaded.`);
  }
}

async function upload(environments: Environments, { environment, secretsFile }: Given, secrets: Secrets) {
  const config = configOf(readWranglerConfig(), environment, settingsOf(environments, environment));
  const all = await readVersions(environment);
  const failed = all[workers.indexOf((await runWrangler({ config, secrets })) ?? '')];
  if (failed) {
    const file = secretsFile === undefined ? '' : ` --secrets-file ${secretsFile}`;
    const command = `npm run deploy -- --env ${environment}${file}`;
    throw new Problem(describeState({ all, failed, now: await currentVersion(failed.name), command }));
  }
}

/** Returns the workers with the versions that serve now, to which a failed deployment can go back. */
async function readVersions(environment: string): Promise<Deployed[]> {
  const all: Deployed[] = [];
  for (const name of workers.map(worker => nameOf(worker, environment))) {
    const before = await currentVersion(name);
    if (!before.ok) {
      throw new Problem(
        `The version of ${name} cannot be read. Wrangler says: ${before.failure}\nNothing was uploaded.`,
      );
    }
    all.push({ name, before: before.value });
  }
  return all;
}

endWithReader();
try {
  const given = readArguments();
  const environments = readEnvironments();
  warnOfOtherVersions();
  if (given.mode === 'dry-run') {
    await bundle(environments, given.environment);
  } else {
    const secrets = given.secretsFile === undefined ? {} : readSecrets(given.secretsFile);
    await check(environments, given.environment, secrets);
    if (given.mode === 'check') {
      console.log(`Nothing is missing. npm run deploy will upload the workers.\n${unseen}`);
    } else {
      await upload(environments, given, secrets);
    }
  }
} catch (error) {
  exitWith(error);
}
