/** A channel that is joining; test/live/protocol and test/live/contract show what follows. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { monotonicNow } from '../../functions/common/monotonic.ts';
import type { LiveCaller } from '../../functions/live/accounts.ts';
import { Channel, channelLimits } from '../../functions/live/channel.ts';
import { LiveSocket } from '../../functions/live/live-socket.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const customer = { kind: 'customer', audience: 'customer' } as const;
const caller: LiveCaller = { caller: customer, accounts: new Set(), askedAt: 0 };

/** A channel that is joining, and the events that its client is sent; `ended` when it has ended. */
function join() {
  const sent: string[] = [];
  const send = (text: string) => {
    const [joinRef, reference, , event, payload] = JSON.parse(text);
    sent.push([event, payload.status ?? '', payload.message ?? ''].join(' ').trim());
    expect(joinRef ?? reference).toBe('1');
  };
  const opened = { version: '2.0.0', isService: false, isBrowser: false, network: '' } as const;
  const channel = new Channel(
    {
      frame: { joinRef: null, ref: '1', topic: 'realtime:x', event: 'phx_join' },
      at: monotonicNow(),
      socket: new LiveSocket({ send, close: () => {} }, opened),
      given: [],
      expectsMore: false,
      isAgain: false,
    },
    { caller, expires: null, bindings: [] },
    () => sent.push('ended'),
  );
  return { channel, sent };
}

describe('a channel that is joining', () => {
  it('is sent no change before the answer, which is sent once, and each one after it', () => {
    const { channel, sent } = join();
    expect(channel.sendChange('{}')).toBe(0);
    channel.answer();
    channel.answer();
    channel.refuse({ is: 'crash' });
    expect(channel.sendChange('{}')).toBeGreaterThan(0);
    expect(sent).toEqual(['phx_reply ok', 'system ok Subscribed to PostgreSQL', 'postgres_changes']);
  });

  it('is refused when its answer would come too late', () => {
    const { channel, sent } = join();
    vi.advanceTimersByTime(channelLimits.answerWithin + 1);
    channel.endIfDue();
    channel.answer();
    expect(sent).toEqual(['phx_reply error', 'ended']);
  });
});
