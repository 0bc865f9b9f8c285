/** What workerd prints reaches the terminal whole, with an object on one line, in whatever chunks it arrives. */
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { forwardLog } from '../../functions/local/log-output.ts';

const printed = [
  '{ event: "short" }',
  "{\n  event: 'request',\n  issues: {\n    path: 'a',\n    list: [\n      1\n    ]\n  },\n  status: 200\n}",
  'a line of a library',
  "{\n  event: 'sweep',\n  expired: 0\n}",
];
const expected = [
  '{ event: "short" }',
  "{ event: 'request', issues: { path: 'a', list: [ 1 ] }, status: 200 }",
  'a line of a library',
  "{ event: 'sweep', expired: 0 }",
];

/** With its pause after each chunk over before the next one comes. */
async function forwarded(chunks: string[]): Promise<string> {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const from = new PassThrough();
  const to = new PassThrough();
  const ended = forwardLog(from, to);
  for (const chunk of chunks) {
    from.write(chunk);
    await new Promise(setImmediate);
    vi.runAllTimers();
  }
  from.end();
  await ended;
  to.end();
  return text(to);
}

it('in any chunks', async () => {
  const all = `${printed.join('\n')}\n`;
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(all.length), { maxLength: 8 }), async cuts => {
      const at = [0, ...cuts.sort((a, b) => a - b), all.length];
      const chunks = at.slice(1).map((end, index) => all.slice(at[index], end));
      expect(await forwarded(chunks.filter(chunk => chunk !== ''))).toBe(`${expected.join('\n')}\n`);
    }),
    { numRuns: 200 },
  );
});

it('an entry appears as soon as it is whole', async () => {
  const from = new PassThrough();
  const to = new PassThrough();
  forwardLog(from, to);
  from.write("{\n  event: 'sweep',\n  expired: 0\n}\n");
  await new Promise(setImmediate);
  expect(String(to.read())).toBe("{ event: 'sweep', expired: 0 }\n");
});

it('entries that come in quick succession are forwarded together, every 10 ms', async () => {
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
  from.end();
  await forwarded;
  expect(writes.join('')).toBe(Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join(''));
  // A timer of Node may fire up to a millisecond early.
  expect(writes.length).toBeLessThan((performance.now() - started) / 9 + 3);
});

it('what was printed last without a line end is not lost', async () => {
  expect(await forwarded(['a bug\n', '{\n  half'])).toBe('a bug\n{ half');
});
