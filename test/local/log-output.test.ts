import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { forwardLog } from '../../functions/local/log-output.ts';

it('what workerd prints reaches the terminal whole, and what comes in quick succession together, every 10 ms', async () => {
  const from = new PassThrough();
  const writes: string[] = [];
  const to = new Writable({
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      done();
    },
  });
  const started = performance.now();
  const forwarded = forwardLog(from, to);
  for (let line = 0; line < 100; line++) {
    from.write(`line ${line}\n`);
    await sleep(1);
  }
  from.end('without a line end');
  await forwarded;
  const lines = Array.from({ length: 100 }, (_, line) => `line ${line}\n`);
  expect(writes.join('')).toBe(`${lines.join('')}without a line end`);
  // A timer of Node may fire up to a millisecond early.
  expect(writes.length).toBeLessThan((performance.now() - started) / 9 + 3);
});
