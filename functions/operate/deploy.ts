/**
 * `npm run deploy`, for operators and CI: checks the settings and secrets of an environment, then deploys its workers by
 * wrangler. `--secrets-file` uploads secrets with them. `--check` only reports what is missing. `--init` makes what can be made.
 */
import { endWithReader } from '../../sql/output.ts';
import { ok } from '../common/failure/result.ts';
import { exitWith, Problem, parseArguments } from '../local/program.ts';
import { warnOfOtherVersions } from '../local/relied-on.ts';
import { configOf } from './deploy/config.ts';
import { checkEnvironment, settingsOf } from './deploy/environments.ts';
import { checkHyperdrive, unseen } from './deploy/hyperdrives.ts';
import { initialise } from './deploy/init.ts';
import { readOrigin } from './deploy/owner-origin.ts';
import { readEnvironments, readWranglerConfig } from './deploy/read-config.ts';
import { readSecrets } from './deploy/secrets-file.ts';
import { upload } from './deploy/upload.ts';
import { checkUploadedSecrets } from './deploy/uploaded-secrets.ts';

const usage =
  'Usage: npm run deploy [-- [--env <environment>] [--secrets-file <file>] [--init [--no-login-service] | --check]]';

function readArguments() {
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    env: { type: 'string', default: 'production' },
    'secrets-file': { type: 'string' },
    init: flag,
    'no-login-service': flag,
    check: flag,
  } as const;
  const { values } = parseArguments({ options }, usage);
  if (values.init && values.check) {
    throw new Problem(`--init and --check cannot be combined. ${usage}`);
  }
  if (values['no-login-service'] && !values.init) {
    throw new Problem(`--no-login-service is only for --init. ${usage}`);
  }
  return {
    ...values,
    hasLoginService: !values['no-login-service'],
    environment: values.env,
    secretsFile: values['secrets-file'],
  };
}

/** Makes what is missing, and prints what is left. Fails when something could not be made or is wrong. */
async function init(environment: string, secretsFile: string, hasLoginService: boolean): Promise<void> {
  const { made, left, refused, places } = await initialise(environment, secretsFile, hasLoginService);
  console.log(['Made:', ...(made.length > 0 ? made : ['nothing, all of it exists'])].join('\n  '));
  printPlaces(places);
  const next = `npm run deploy -- --env ${environment} --secrets-file ${secretsFile}`;
  console.log(
    left.length > 0
      ? ['Left for you:', ...commandsOf(environment, left)].join('\n  ')
      : `Nothing is left. Keep ${secretsFile} out of the repository, and run: ${next}`,
  );
  process.exitCode = refused.length > 0 ? 1 : 0;
}

/** Deploys the environment, or only checks it. What needs no login is checked first. */
async function deploy(environment: string, secretsFile: string | undefined, isCheck: boolean): Promise<void> {
  const secrets = secretsFile === undefined ? ok({}) : readSecrets(secretsFile);
  const environments = readEnvironments();
  const stopAt = (missing: string[]) => stop(commandsOf(environment, missing));
  stopAt([...checkEnvironment(environments, environment), ...(secrets.ok ? [] : secrets.failure)]);
  const settings = settingsOf(environments, environment);
  const { faults, places } = await checkHyperdrive(settings, readOrigin(process.env['DATABASE_URL']));
  printPlaces(places);
  stopAt(faults);
  if (secretsFile === undefined) {
    stopAt(await checkUploadedSecrets(environment));
  }
  if (isCheck) {
    console.log(`Nothing is missing. npm run deploy will upload the workers.\n${unseen}`);
  } else {
    await upload(configOf(readWranglerConfig(), environment, settings), secrets.ok ? secrets.value : {});
  }
}

/** Prints where Hyperdrive leads, so that nobody deploys to another environment's database. */
function printPlaces(places: string[]): void {
  if (places.length > 0) {
    console.log(['Hyperdrive leads to:', ...places].join('\n  '));
  }
}

/** Returns the lines with commands for the environment, since without its name they would be for production. */
const commandsOf = (environment: string, lines: string[]): string[] =>
  environment === 'production'
    ? lines
    : lines.map(line =>
        line.replaceAll('npm run deploy -- --init', `npm run deploy -- --env ${environment} --init`),
      );

function stop(missing: string[]): void {
  if (missing.length > 0) {
    throw new Problem(`${missing.join('\n')}\nNothing was uploaded.`);
  }
}

endWithReader();
try {
  const { environment, secretsFile, ...given } = readArguments();
  warnOfOtherVersions();
  if (given.init) {
    await init(
      environment,
      secretsFile ?? `secrets${environment === 'production' ? '' : `.${environment}`}.json`,
      given.hasLoginService,
    );
  } else {
    await deploy(environment, secretsFile, given.check);
  }
} catch (error) {
  exitWith(error);
}
