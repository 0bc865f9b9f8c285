/**
 * `npm run tail`: prints the workers' log, a line per entry, and a summary of the requests at the end of the input or on
 * Ctrl-C. Reads from `wrangler tail` of a deployed worker, a file, or standard input.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { exitWith, Problem } from './problem.ts';
import { root } from './settings.ts';
import { type Entry, entriesOf } from './tail/entry.ts';
import { heading, lineOf } from './tail/line.ts';
import { summarise, summariseDeliveries } from './tail/summary.ts';
import { wrangler as wranglerProgram } from './wrangler.ts';

const usage = 'Usage: npm run tail -- --env <worker>, or npm run tail -- <file>, or … | npm run tail';

const requests: Entry[] = [];
const deliveries: Entry[] = [];

interface Source {
  stream: NodeJS.ReadableStream;
  wrangler?: ChildProcess;
}

async function openSource(): Promise<Source> {
  const { env, file } = parseArguments();
  if (env !== undefined) {
    // Wrangler prints its own errors.
    const args = [wranglerProgram, 'tail', '--format', 'json', '--env', env];
    const wrangler = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
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

function parseArguments(): { env: string | undefined; file: string | undefined } {
  try {
    const options = { env: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length + (values.env === undefined ? 0 : 1) > 1) {
      throw new Error('Only one worker or one file can be read.');
    }
    return { env: values.env, file: positionals[0] };
  } catch (error) {
    throw new Problem(`${(error as Error).message} ${usage}`);
  }
}

/** Wrangler prints an object over several lines, the first of which is `{` and the last `}`. */
async function* readPieces(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let piece: string[] = [];
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    piece.push(line);
    if (piece[0] !== '{' || line === '}') {
      yield piece.join('\n');
      piece = [];
    }
  }
  yield* piece;
}

function end(code: number): never {
  console.log(`\n${[...summarise(requests), ...summariseDeliveries(deliveries)].join('\n')}`);
  process.exit(code);
}

try {
  const { stream, wrangler } = await openSource();
  const exit = wrangler && once(wrangler, 'exit');
  process.on('SIGINT', () => {
    wrangler?.kill();
    end(0);
  });
  process.stdout.on('error', () => process.exit());
  console.log(heading);
  for await (const piece of readPieces(stream)) {
    for (const entry of entriesOf(piece)) {
      if (entry.event === 'request') {
        requests.push(entry);
      } else if (entry.event === 'delivery' && entry['delivery'] !== undefined) {
        deliveries.push(entry);
      }
      console.log(lineOf(entry));
    }
  }
  end(exit && (await exit)[0] !== 0 ? 1 : 0);
} catch (error) {
  exitWith(error);
}
