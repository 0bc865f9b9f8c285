/** `npm run fuzz -- [--requests 100000] [--seed n]` runs the test beside this file with so many requests, or repeats a seed's run. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { exitWith, Problem } from '../../functions/local/program.ts';

function readOptions() {
  try {
    const options = { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    const usage = 'Usage: npm run fuzz [-- [--requests 100000] [--seed n]]';
    return exitWith(new Problem(`${(error as Error).message} ${usage}`));
  }
}

const { requests, seed = String(randomInt(2 ** 31)) } = readOptions();
const args = ['run', '--config', 'test/vitest.config.ts', 'test/fuzz/fuzz.service.test.ts'];
const vitest = spawn('node_modules/.bin/vitest', args, {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_REQUESTS: requests, SEED: seed },
});
vitest.on('exit', code => {
  process.exitCode = code ?? 1;
});
