/**
 * `npm run tail`: prints a worker's log, a line per entry, and a summary of the requests at the end of the input or on
 * Ctrl-C. Reads from `wrangler tail` of a deployed worker, or the standard input.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { endWithReader } from './output.ts';
import { exitWith, Problem } from './problem.ts';
import { root } from './settings.ts';
import { type Entry, entriesOf, heading, lineOf, summarise, summariseDeliveries } from './tail/entries.ts';
import { wrangler } from './wrangler.ts';

const usage = 'Usage: npm run tail -- --env <worker>, or … | npm run tail';

function readEnv(): string | undefined {
  try {
    return parseArgs({ options: { env: { type: 'string' } } }).values.env;
  } catch (error) {
    throw new Problem(`${(error as Error).message} ${usage}`);
  }
}

/** Starts wrangler, which prints its own errors. */
function startWrangler(env: string) {
  const args = [wrangler, 'tail', '--format', 'json', '--env', env];
  return spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Yields lines, and as one the lines of an object: the first of them is `{` and the last `}`. */
async function* readPieces(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  let piece: string[] = [];
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    piece.push(line);
    if (piece[0] !== '{' || line === '}') {
      yield piece.join('\n');
      piece = [];
    }
  }
  yield* piece;
}

const requests: Entry[] = [];
const deliveries: Entry[] = [];

function end(code: number): never {
  console.log(`\n${[...summarise(requests), ...summariseDeliveries(deliveries)].join('\n')}`);
  process.exit(code);
}

try {
  const env = readEnv();
  if (env === undefined && process.stdin.isTTY) {
    throw new Problem(usage);
  }
  const child = env === undefined ? undefined : startWrangler(env);
  const exit = child && once(child, 'exit');
  process.on('SIGINT', () => {
    child?.kill();
    end(0);
  });
  endWithReader();
  console.log(heading);
  for await (const piece of readPieces(child?.stdout ?? process.stdin)) {
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
