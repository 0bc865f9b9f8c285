/**
 * `npm run fuzz -- [--requests 100000] [--seed n]`: the test beside this file with as many requests, and the seed of a
 * run that is to be seen again.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const vitest = spawn(
  'vitest',
  ['run', '--config', 'test/vitest.config.ts', 'test/fuzz/fuzz.service.test.ts'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_REQUESTS: options.requests,
      ...(options.seed !== undefined && { FUZZ_SEED: options.seed }),
    },
  },
);
vitest.on('exit', code => {
  process.exitCode = code ?? 1;
});
