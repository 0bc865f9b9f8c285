/** The commands and examples of the README files, run as they are printed, in a checkout of their own. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ending, type Program, startCommand } from './local/program.ts';
import { copyCheckout } from './setup/checkout.ts';
import { useDatabase } from './setup/database.ts';
import { type Block, blocksOf, readmes } from './setup/readmes.ts';
import { makeTemporaryDirectory } from './setup/temporary-directory.ts';
import { use } from './setup/use.ts';

const first = readmes[0]?.text ?? '';
/** Where the README says that the service is. */
const printedAddress = 'http://127.0.0.1:8787';

/** The first block: commands that each install what is installed already, and start or test the service. */
const [twoCommands, ...shellBlocks] = blocksOf('sh');
const commands = twoCommands?.text.trim().split('\n') ?? [];

/** The file that the example is saved as. */
const example = /`npx tsx (\S+)`/.exec(first)?.[1] ?? '';
const exampleParts = blocksOf('ts', 'README.md').map(({ text }) => text);

const directory = use(makeTemporaryDirectory, 'remove');
let checkout: string;
let service: Program;
let address: string;
beforeAll(async () => {
  checkout = join(directory.path, 'checkout');
  await copyCheckout(checkout);
  service = run(commands.find(command => command.includes('npm start')) ?? '', { PORT: '0' });
  await service.printed('Ctrl-C stops it.', 150_000);
  address = /^address +(\S+)$/m.exec(service.output())?.[1] ?? '';
}, 180_000);
afterAll(async () => {
  await service.interrupt().catch(() => {});
});

/** Installing is taken as done, and of all the tests one file is enough to see that they start. */
const narrowed = `
npm() {
  if [ "$1" = ci ]; then return 0; fi
  if [ "$*" = test ]; then command npm test -- test/common/memoize; else command npm "$@"; fi
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

describe('the two commands', { timeout: 180_000 }, () => {
  it('are two: one starts the service, and one tests it', () => {
    expect(commands).toHaveLength(2);
  });

  it('start the service where the README says, unless PORT says otherwise', async () => {
    expect((await fetch(`${address}/health`)).status).toBe(200);
    expect(commands[0]).toContain(printedAddress);
  });

  it('run the tests', async () => {
    const ending = await runToEnd(commands.find(command => command.includes('npm test')) ?? '');
    expect(ending.code, ending.stdout + ending.stderr).toBe(0);
    expect(ending.stdout).toContain('passed');
  });
});

describe('a block of shell commands', { timeout: 180_000 }, () => {
  it.each(
    shellBlocks.map(block => [`${block.readme}: ${block.text.split('\n')[0]}`, block] as const),
  )('runs and prints what the README shows: %s', async (_, { text, output }: Block) => {
    const ending = await runToEnd(text);
    expect(ending.code, ending.stdout + ending.stderr).toBe(0);
    if (output !== undefined) {
      expect(comparable(ending.stdout)).toEqual(comparable(output));
    }
  });
});

const signIn = blocksOf('sh', 'README.md').find(({ text }) => text.includes('TOKEN='))?.text ?? '';

/** The path of a module that gives supabase-js its WebSocket, which Node has from 22 on. */
async function preload(): Promise<string> {
  const path = join(checkout, 'websocket.mjs');
  await writeFile(path, "import WebSocket from 'ws';\nglobalThis.WebSocket ??= WebSocket;\n");
  return path;
}

describe('the examples', { timeout: 180_000 }, () => {
  const whole = exampleParts.join('');
  const connects = exampleParts[0]?.split('\n').slice(0, 4) ?? [];
  const listens = blocksOf('ts', 'functions/live/README.md').map(({ text }) => text);
  const live = `${connects.join('\n')}
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
`;
  const files = { [example]: whole, 'live.ts': live };
  beforeAll(async () => {
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(checkout, name), text.replaceAll(printedAddress, address));
    }
  });

  /** Signs in, and runs one of them. */
  const runExample = async (name: string): Promise<Program> =>
    run(
      `${signIn.trim()} >signed-in.json\nexport NODE_OPTIONS='--import ${await preload()}'\nnpx tsx ${name}`,
    );

  it('have no wrong type', async () => {
    const project = { extends: './tsconfig.json', include: Object.keys(files) };
    await writeFile(join(checkout, 'examples.tsconfig.json'), JSON.stringify(project));
    expect(await runToEnd('npx tsc -p examples.tsconfig.json')).toMatchObject({ stdout: '', code: 0 });
  });

  it('begin with one of ten lines, which prints what its comments say, with the blocks that continue it', async () => {
    expect(exampleParts[0]?.trim().split('\n')).toHaveLength(10);
    const shown = [...whole.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, line]) => line);
    const ending = await (await runExample(example)).ended;
    expect(ending.code, ending.stderr).toBe(0);
    expect(shown.length).toBeGreaterThan(0);
    expect(ending.stdout.trim().split('\n')).toEqual(shown);
  });

  it('know, by live updates, of a notification that comes later', async () => {
    const listener = await runExample('live.ts');
    await listener.printed('has read');
    const url = /^DATABASE_URL +(\S+)$/m.exec(service.output())?.[1] ?? '';
    const sql = postgres(url, { max: 1 });
    await sql`
      insert into builder.notifications (account_id, type, body, channel, dismissed)
      values ('c0000000-0000-4000-8000-000000000001', 'info', 'Later', 'in_app', false)`;
    await sql.end();
    expect((await listener.ended).code).toBe(0);
  });
});

describe('SQL of a README', () => {
  const database = useDatabase();

  it.each(
    blocksOf('sql').map(({ readme, text }) => [`${readme}: ${text.split('\n')[0]}`, text] as const),
  )('runs as the owner: %s', async (_, text) => {
    await database.sql.begin(async transaction => {
      // A deployment has memberships of its own.
      await transaction`create table public.memberships (user_id uuid, account_id uuid)`;
      await transaction.unsafe(text);
      await transaction`drop table public.memberships`;
    });
  });
});
