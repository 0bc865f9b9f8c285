/**
 * `npm run tail`: prints the workers' log, a line per request and sweep, and a summary at the end of the input or on
 * Ctrl-C. Reads from `wrangler tail` of a deployed worker, a file, or standard input.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { exitWith, Problem } from './problem.ts';
import { root } from './settings.ts';
import { entriesOf } from './tail/entry.ts';
import { heading, lineOf, painter } from './tail/line.ts';
import { splitPieces } from './tail/split.ts';
import { Summary } from './tail/summary.ts';
import { wrangler as wranglerProgram } from './wrangler.ts';

const usage = 'Usage: npm run tail -- --env <worker>, or npm run tail -- <file>, or … | npm run tail';

const paint = painter(process.stdout.isTTY === true && !process.env['NO_COLOR']);
const summary = new Summary();

interface Source {
  stream: NodeJS.ReadableStream;
  wrangler?: ChildProcess;
}

async function openSource(args: string[]): Promise<Source> {
  const { env, file } = parseArguments(args);
  if (env !== undefined) {
    const wrangler = spawnWrangler(env);
    return { stream: wrangler.stdout, wrangler };
  }
  if (file !== undefined) {
    const opened = await open(file).catch(error => {
      throw new Problem(`The file cannot be read: ${error.message}`);
    });
    return { stream: opened.createReadStream() };
  }
  if (process.stdin.isTTY) {
    throw new Problem(usage);
  }
  return { stream: process.stdin };
}

function parseArguments(args: string[]): { env: string | undefined; file: string | undefined } {
  try {
    const options = { env: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length + (values.env === undefined ? 0 : 1) > 1) {
      throw new Error('Only one worker or one file can be read.');
    }
    return { env: values.env, file: positionals[0] };
  } catch (error) {
    throw new Problem(`${(error as Error).message} ${usage}`);
  }
}

/** Tails the worker of an env of wrangler.toml. Wrangler prints its own errors. */
function spawnWrangler(env: string) {
  const args = [wranglerProgram, 'tail', '--format', 'json', '--env', env];
  return spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function show(stream: NodeJS.ReadableStream): Promise<void> {
  console.log(heading(paint));
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const piece of splitPieces(lines)) {
    const text = 'text' in piece ? piece.text : JSON.stringify(piece.object);
    const entries = ('object' in piece && entriesOf(piece.object)) || [{ is: 'text' as const, text }];
    for (const entry of entries) {
      summary.add(entry);
      console.log(lineOf(entry, paint));
    }
  }
}

function end(code: number): never {
  console.log(`\n${summary.lines(paint).join('\n')}`);
  process.exit(code);
}

try {
  const { stream, wrangler } = await openSource(process.argv.slice(2));
  const exit = wrangler && once(wrangler, 'exit');
  process.on('SIGINT', () => {
    wrangler?.kill();
    end(0);
  });
  process.stdout.on('error', () => process.exit());
  await show(stream);
  end(exit && (await exit)[0] !== 0 ? 1 : 0);
} catch (error) {
  exitWith(error);
}
