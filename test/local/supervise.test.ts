import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { supervise } from '../../functions/local/workers/supervise.ts';

it('a process that ends at once is started again after a growing delay, until that is over', async () => {
  const end = new AbortController();
  const lines: string[] = [];
  const start = () => {
    const child = spawn('sh', ['-c', 'exit 3']);
    return { ended: once(child, 'exit').then(([code]) => `code ${code}`) };
  };
  await supervise('it', start(), start, end.signal, line => {
    lines.push(line);
    if (lines.length === 3) {
      end.abort();
    }
  });
  expect(lines).toEqual([
    'it ended (code 3); it is started again in 100 ms.',
    'it ended (code 3); it is started again in 200 ms.',
    'it ended (code 3); it is started again in 400 ms.',
  ]);
});
