/**
 * The commands and examples of the README files, run as they are printed, in a checkout of their own.
 * @module-tag bash
 * @module-tag full
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ecdsa, forge } from './caller/token/forge.ts';
import { type Ending, type Program, startCommand } from './local/program.ts';
import { copyCheckout } from './setup/checkout.ts';
import { answering, type KeyServer, startKeyServer } from './setup/key-server.ts';
import { blocksOf, readmes } from './setup/readmes.ts';
import { makeTemporaryDirectory } from './setup/temporary-directory.ts';
import { use } from './setup/use.ts';

const first = readmes[0]?.text ?? '';
/** Where the README says that the service is. */
const printedAddress = 'http://127.0.0.1:8787';
/** Of sql/demo.sql. */
const demoCustomer = 'c0000000-0000-4000-8000-000000000001';

/** The first block: commands that each install what is installed already, and start or test the service. */
const [twoCommands, ...shellBlocks] = blocksOf('sh');
const commands = twoCommands?.text.trim().split('\n') ?? [];

/** The file that the example is saved as. */
const example = /`npx tsx (\S+)`/.exec(first)?.[1] ?? '';
const exampleParts = blocksOf('ts', 'README.md').map(({ text }) => text);
/** What the first example prints, once the approval has arrived. */
const arrived = /It prints `(\w+)`/.exec(first)?.[1];
const recipes = blocksOf('ts', 'functions/RECIPES.md').map(({ text }) => text);

const directory = use(makeTemporaryDirectory, 'remove');
let checkout: string;
let service: Program;
let address: string;
let keyServer: KeyServer;
beforeAll(async () => {
  checkout = join(directory.path, 'checkout');
  await copyCheckout(checkout);
  keyServer = await startKeyServer(answering({ keys: [] }));
  const settings = { PORT: '0', JWKS_URL: keyServer.url };
  service = run(commands.find(command => command.includes('npm start')) ?? '', settings);
  await service.printed('Ctrl-C stops it.', 150_000);
  address = /^address +(\S+)$/m.exec(service.output())?.[1] ?? '';
}, 180_000);
afterAll(async () => {
  await service.interrupt().catch(() => {});
  await keyServer.stop();
});

/** A command of test/README.md. */
const oneTest = 'npm test -- test/common/monotonic';
/** Installing is taken as done, and of all the tests one file is enough to see that they start. */
const narrowed = `
npm() {
  if [ "$1" = ci ]; then return 0; fi
  if [ "$*" = test ]; then command ${oneTest}; else command npm "$@"; fi
}
set -euo pipefail
`;

/** Runs a text of shell commands in the checkout, against the service that was started there. */
function run(text: string, env: Record<string, string> = {}): Program {
  const outer = Object.keys(process.env).filter(name => name.startsWith('VITEST'));
  return startCommand('bash', ['-c', narrowed + text.replaceAll(printedAddress, address)], {
    directory: checkout,
    env: { ...Object.fromEntries(outer.map(name => [name, ''])), ...env },
  });
}

const runToEnd = (text: string, env?: Record<string, string>): Promise<Ending> => run(text, env).ended;

/** JSON whatever its layout, and any other text without the space around it. */
function comparable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}

it('two commands start the service where the README says, and run the tests', {
  timeout: 180_000,
}, async () => {
  expect(commands).toHaveLength(2);
  expect(commands[0]).toContain(printedAddress);
  expect((await fetch(`${address}/health`)).status).toBe(200);
  const ending = await runToEnd(commands.find(command => command.includes('npm test')) ?? '');
  expect(ending.code, ending.stdout + ending.stderr).toBe(0);
  expect(ending.stdout).toContain('passed');
});

for (const { readme, text, output } of shellBlocks.filter(({ text }) => !text.startsWith(oneTest))) {
  const options = { timeout: 180_000, tags: /\bcurl\b/.test(text) ? ['curl'] : [] };
  it(`commands run, and print what is shown: ${readme}: ${text.split('\n')[0]}`, options, async () => {
    const ending = await runToEnd(text);
    expect(ending.code, ending.stdout + ending.stderr).toBe(0);
    if (output !== undefined) {
      expect(comparable(ending.stdout)).toEqual(comparable(output));
    }
  });
}

/** The commands that set KEY and tokens. */
const signIn = blocksOf('sh', 'README.md').flatMap(({ text }) => text.match(/^export .*$/gm) ?? []);

/** Runs a file of examples as somebody who has signed in; on Node 20 with the option that the README names. */
function runSignedIn(file: string): Program {
  const [option = ''] = process.versions.node < '22' ? (/NODE_OPTIONS=[\w-]+/.exec(first) ?? []) : [];
  return run(`${signIn.join('\n')}\n${option} npx tsx ${file}`);
}

/** Saves TypeScript in the checkout, for the service that was started there. */
const save = (file: string, text: string): Promise<void> =>
  writeFile(join(checkout, file), text.replaceAll(printedAddress, address));

/** Returns what the compiler says of these files, by the settings of a folder. */
async function compile(folder: string, ...names: string[]): Promise<Ending> {
  const files = names.map(file => `../${folder}/${file}`);
  const project = { extends: `../${folder}/tsconfig.json`, files, include: [] };
  // Where lint does not look.
  await writeFile(join(checkout, '.local', 'example.tsconfig.json'), JSON.stringify(project));
  return runToEnd('npx tsc -p .local/example.tsconfig.json');
}

/** What comments say that their lines print. */
const shownBy = (text: string) =>
  [...text.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, line]) => line);

const [twelve = ''] = exampleParts;
const [connects = ''] = recipes;
const listens = blocksOf('ts', 'functions/live/README.md').map(({ text }) => text);
const liveExample = `${connects}
${listens.join('')}
const bodies = () => [...rows.values()].map(row => ('body' in row ? row.body : undefined));
const until = async (isSo: () => boolean) => {
  while (!isSo()) {
    await new Promise(resolve => setTimeout(resolve, 50));
  }
};
await until(() => rows.size > 0);
console.log('has read');
await until(() => bodies().includes('Later'));
process.exit(0);
export { quote };
`;

it('the examples of the README files have no wrong type', { timeout: 180_000 }, async () => {
  await save(example, twelve);
  await save('later.ts', `${exampleParts.join('')}await staff.removeAllChannels();\n`);
  await save('recipes.ts', recipes.join(''));
  await save('live.ts', liveExample);
  expect(await compile('.', example, 'later.ts', 'recipes.ts', 'live.ts')).toMatchObject({
    stdout: '',
    code: 0,
  });
});

it('the first example has twelve lines, and prints that the approval has arrived', {
  timeout: 180_000,
}, async () => {
  expect(twelve.trim().split('\n')).toHaveLength(12);
  const running = runSignedIn(example);
  await running.printed('\n');
  expect(running.output()).toBe(`${arrived}\n`);
  await running.interrupt();
});

it('the later examples print what their comments say', { timeout: 180_000 }, async () => {
  const ending = await runSignedIn('later.ts').ended;
  expect(ending.code, ending.stderr).toBe(0);
  const shown = ending.stdout.trim().split('\n');
  expect(shown.filter(line => line !== arrived)).toEqual(exampleParts.slice(1).flatMap(shownBy));
});

describe('the recipes', { timeout: 180_000 }, () => {
  it('print what their comments say', async () => {
    const ending = await runSignedIn('recipes.ts').ended;
    expect(ending.code, ending.stderr).toBe(0);
    expect(ending.stdout.trim().split('\n')).toEqual(shownBy(recipes.join('')));
  });

  it('call the hook of the demo, which the tests drive, with the right types', async () => {
    const calls = blocksOf('tsx', 'functions/RECIPES.md').map(({ text }) => text);
    expect(calls).toHaveLength(1);
    const component = `import { useCallback } from 'react';
import type { Client } from './supabase.ts';
import { useLive } from './use-live.ts';
export function Quotes({ client }: { client: Client }) {
${calls.join('')}
  return isLoading || error ? null : data?.map(({ id, status }) => <p key={id}>{status}</p>);
}
`;
    await writeFile(join(checkout, 'functions/demo/quotes.tsx'), component);
    expect(await compile('functions/demo', 'quotes.tsx')).toMatchObject({ stdout: '', code: 0 });
  });

  it('have users of a login service sign in: JWKS_URL is enough for npm start', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    keyServer.answer = answering({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'ec' }] });
    const exp = Math.floor(Date.now() / 1000) + 600;
    const claims = { role: 'authenticated', sub: demoCustomer, exp };
    const token = forge({ alg: 'ES256', kid: 'ec' }, claims, ecdsa(privateKey));
    const apikey = /^publishable key +(\S+)$/m.exec(service.output())?.[1] ?? '';
    const response = await fetch(`${address}/rest/v1/quotes?select=status&status=eq.rejected`, {
      headers: { apikey, authorization: `Bearer ${token}` },
    });
    expect(await response.json()).toEqual([{ status: 'rejected' }]);
  });
});

it('the example of live updates shows a new notification', { timeout: 180_000 }, async () => {
  const listener = runSignedIn('live.ts');
  await listener.printed('has read');
  const url = /^DATABASE_URL +(\S+)$/m.exec(service.output())?.[1] ?? '';
  const sql = postgres(url, { max: 1 });
  await sql`
    insert into builder.notifications (account_id, type, body, channel, dismissed)
    values (${demoCustomer}, 'info', 'Later', 'in_app', false)`;
  await sql.end();
  expect((await listener.ended).code).toBe(0);
});
