/**
 * `npm run deploy`, for operators and CI: checks the settings and secrets of an environment, then deploys its workers by
 * wrangler. `--secrets-file` uploads secrets with them. `--check` only reports what is missing.
 */
import { endWithReader } from '../../sql/output.ts';
import { parseArguments } from '../local/arguments.ts';
import { exitWith, Problem } from '../local/problem.ts';
import { warnOfOtherVersions } from '../local/relied-on.ts';
import { configOf } from './deploy/config.ts';
import { checkEnvironment, settingsOf } from './deploy/environments.ts';
import { checkHyperdrive, unseen } from './deploy/hyperdrives.ts';
import { readEnvironments, readWranglerConfig } from './deploy/read-config.ts';
import { readSecrets } from './deploy/secrets-file.ts';
import { upload } from './deploy/upload.ts';

const usage = 'Usage: npm run deploy [-- [--env <environment>] [--secrets-file <file>] [--check]]';

function readArguments() {
  const options = {
    env: { type: 'string', default: 'production' },
    'secrets-file': { type: 'string' },
    check: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArguments({ options }, usage);
  return { environment: values.env, secretsFile: values['secrets-file'], isCheck: values.check };
}

function stopAt(missing: string[]): void {
  if (missing.length > 0) {
    throw new Problem(`${missing.join('\n')}\nNothing was uploaded.`);
  }
}

endWithReader();
try {
  const { environment, secretsFile, isCheck } = readArguments();
  warnOfOtherVersions();
  const secrets = secretsFile === undefined ? {} : readSecrets(secretsFile);
  const environments = readEnvironments();
  stopAt(checkEnvironment(environments, environment));
  const settings = settingsOf(environments, environment);
  stopAt(await checkHyperdrive(settings));
  if (isCheck) {
    console.log(`Nothing is missing. npm run deploy will upload the workers.\n${unseen}`);
  } else {
    await upload(configOf(readWranglerConfig(), environment, settings), secrets);
  }
} catch (error) {
  exitWith(error);
}
