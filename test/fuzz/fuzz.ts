/**
 * `npm run fuzz -- [--costly] [--requests 100000] [--seed n]` runs the test beside this file with so many requests, or
 * repeats the run of a seed. `--costly` runs the test of costly requests.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { exitWith, Problem } from '../../functions/local/problem.ts';

function readOptions() {
  try {
    const options = {
      costly: { type: 'boolean', default: false },
      requests: { type: 'string' },
      seed: { type: 'string' },
    } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    const usage = 'Usage: npm run fuzz [-- [--costly] [--requests 100000] [--seed n]]';
    return exitWith(new Problem(`${(error as Error).message} ${usage}`));
  }
}

const { costly, requests = costly ? '20000' : '100000', seed } = readOptions();
const file = costly ? 'test/costs/costly.service.test.ts' : 'test/fuzz/fuzz.service.test.ts';
const vitest = spawn('test/node_modules/.bin/vitest', ['run', '--config', 'test/vitest.config.ts', file], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_REQUESTS: requests, ...(seed !== undefined && { FUZZ_SEED: seed }) },
});
vitest.on('exit', code => {
  process.exitCode = code ?? 1;
});
