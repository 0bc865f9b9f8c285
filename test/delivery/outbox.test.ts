/** What was sent is settled, although the database was away or refuses one settlement. */
import { expect, it } from 'vitest';
import type { Failure } from '../../functions/common/failure/failure.ts';
import { fail, ok } from '../../functions/common/failure/result.ts';
import type { SendMessage } from '../../functions/database/execute.ts';
import { type Attempt, attemptSafely, Outbox } from '../../functions/delivery/outbox.ts';

const sent = (id: string): Attempt => ({
  kind: 'mail',
  claimed: { id, claim: 1, attempt: 1 },
  host: 'lions.example',
  began: 0,
  ended: 1,
  result: { is: 'sent' },
});

/** An outbox, and the ids of each message that it sent; the message fails as `failureOf` says. */
function outboxThat(failureOf: (ids: string[]) => Failure | undefined) {
  const asked: string[][] = [];
  const ask: SendMessage = async ({ text }) => {
    const ids = [...text.matchAll(/"id":"(\w+)"/g)].map(([, id = '']) => id);
    asked.push(ids);
    const failure = failureOf(ids);
    return failure ? fail(failure) : ok([]);
  };
  return { outbox: new Outbox(ask, () => {}), asked };
}

it('the outbox settles the other attempts when the database refuses one', async () => {
  let isAway = true;
  const { outbox, asked } = outboxThat(ids => {
    if (isAway) {
      return { is: 'database unavailable', reason: '57P01' };
    }
    const refused = { is: 'database', sqlstate: '22P05', message: '', authenticated: true } as const;
    return ids.includes('bad') ? refused : undefined;
  });
  await outbox.settle(sent('a'));
  await outbox.settle(sent('bad'));
  isAway = false;
  await outbox.settle(sent('c'));
  expect(asked.slice(2)).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  expect(outbox.hasUnsettled).toBe(false);
});

it.each([
  ['takes too long', '57014'],
  ['lets nobody deliver, as in a pause', '42501'],
])('the outbox remembers only the latest attempts while the database %s', async (_, sqlstate) => {
  let isAway = true;
  const { outbox, asked } = outboxThat(() =>
    isAway ? { is: 'database', sqlstate, message: '', authenticated: true } : undefined,
  );
  for (let id = 1; id <= 1000; id++) {
    await outbox.settle(sent(String(id)));
  }
  isAway = false;
  await outbox.settle();
  expect(asked.at(-1)).toEqual(Array.from({ length: 500 }, (_, index) => String(index + 501)));
});

it('a bug in sending one thing fails that attempt, and is in the log without its message', async () => {
  const log: unknown[] = [];
  const { error } = console;
  console.error = (line: unknown) => log.push(line);
  const { result } = await attemptSafely('mail', sent('a').claimed, 'lions.example', () => {
    throw new TypeError('coach@lions.example');
  });
  console.error = error;
  expect(result).toEqual({ is: 'failed', reason: 'internal error; see the log' });
  expect(log).toMatchObject([{ event: 'crash', message: 'TypeError' }]);
  expect(JSON.stringify(log)).not.toContain('coach');
});
