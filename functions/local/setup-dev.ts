/**
 * `npm run setup:dev`: writes the variables of `npx wrangler dev` to .dev.vars, and runs the embedded Postgres that they lead
 * to until Ctrl-C. With DATABASE_URL there is none to run.
 */
import { existsSync } from 'node:fs';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keysOf } from '../common/env.ts';
import { withData } from './data-directory.ts';
import { startDatabase } from './database.ts';
import { databasePortOf, setVariables } from './dev-vars.ts';
import { step } from './report.ts';
import { run } from './running.ts';
import { loadSecrets } from './secrets.ts';
import { readSettings, root, type StartSettings } from './settings.ts';
import { variablesOf } from './variables.ts';

const file = join(root, '.dev.vars');

async function setUp(settings: StartSettings): Promise<void> {
  const load = () => loadSecrets(settings.directory);
  const secrets = await step('secrets', load, () => `in ${settings.directory}`);
  const before = existsSync(file) ? await readFile(file, 'utf8') : '';
  // The same port again, so that a `wrangler dev` which is still running finds the database.
  const { url } = await startDatabase(settings, secrets, databasePortOf(before));
  const write = () => writeVariables(setVariables(before, variablesOf(url, secrets)));
  await step('variables', write, () => `in ${file}`);
  const [key = ''] = keysOf(secrets.publishableKey);
  console.log(`
In another terminal: npx wrangler dev
And then:            curl -H 'apikey: ${key}' -H 'Authorization: Bearer ${key}' 'http://localhost:8787/rest/v1/graphics?select=code'
Tokens of customers and staff: npm run token
${settings.databaseUrl === undefined ? '\nCtrl-C stops the database.' : ''}`);
}

/** Writes .dev.vars. A new file can be read by its owner alone. */
async function writeVariables(text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  // A `wrangler dev` that is running watches this file alone, and reads .dev.vars with it.
  const now = new Date();
  await utimes(join(root, 'wrangler.toml'), now, now);
}

await run(async () => {
  const settings = readSettings(process.argv.slice(2));
  await withData(settings.directory, () => setUp(settings));
});
