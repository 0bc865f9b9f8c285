/** The states of a channel, and what is sent at each transition. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import type { LiveCaller } from '../../functions/live/accounts.ts';
import { Channel } from '../../functions/live/channel.ts';
import { liveLimits } from '../../functions/live/limits.ts';
import { LiveSocket } from '../../functions/live/socket.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const callerOf = (sub: string): LiveCaller => ({
  caller: {
    kind: 'customer',
    audience: 'customer',
    claims: { role: 'authenticated', sub, app_metadata: {} },
  },
  accounts: new Set(),
  askedAt: 0,
});

/** A channel that is joining, and the events that its client is sent; `ended` when it has ended. */
function join({ expires = null, ref = '1' }: { expires?: number | null; ref?: string | number } = {}) {
  const sent: string[] = [];
  const send = (text: string) => {
    const [joinRef, reference, , event, payload] = JSON.parse(text);
    sent.push([event, payload.status ?? '', payload.message ?? ''].join(' ').trim());
    expect(joinRef ?? reference).toBe(ref);
  };
  const opened = { version: '2.0.0', isService: false, isBrowser: false, network: '' } as const;
  const channel = new Channel(
    {
      frame: { joinRef: null, ref, topic: 'realtime:x', event: 'phx_join', payload: {} },
      at: Date.now(),
      socket: new LiveSocket({ send, close: () => {} }, opened),
      given: [],
      expectsMore: false,
    },
    { caller: callerOf('a'), expires, bindings: [] },
    () => sent.push('ended'),
  );
  return { channel, sent };
}

const subscribed = ['phx_reply ok', 'system ok Subscribed to PostgreSQL'];

describe('a channel that is joining', () => {
  it('is sent no change before the answer, and each one after it', () => {
    const { channel, sent } = join();
    expect(channel.sendChange('{}')).toBe(0);
    channel.answer();
    expect(channel.sendChange('{}')).toBeGreaterThan(0);
    expect(sent).toEqual([...subscribed, 'postgres_changes']);
  });

  it('is answered once', () => {
    const { channel, sent } = join();
    channel.answer();
    channel.answer();
    channel.refuse({ is: 'crash' });
    expect(sent).toEqual(subscribed);
  });

  it('is answered with a reference that is a number', () => {
    const { channel, sent } = join({ ref: 7 });
    channel.answer();
    expect(sent).toEqual(subscribed);
  });

  it.each<[how: string, end: (channel: Channel) => void, more: string[]]>([
    ['is left', channel => channel.leave(), ['ended', 'phx_close']],
    ['is joined again', channel => channel.drop(), ['ended']],
    ['has its token refused', channel => channel.fail('x'), ['ended', 'system error x', 'phx_error']],
  ])('is answered with an error when it %s', (_, end, more) => {
    const { channel, sent } = join();
    end(channel);
    expect(sent).toEqual(['phx_reply error', ...more]);
  });

  it('is refused when its answer would come too late', () => {
    const { channel, sent } = join();
    vi.advanceTimersByTime(liveLimits.answerWithin + 1);
    channel.endIfDue();
    channel.answer();
    expect(sent).toEqual(['phx_reply error', 'ended']);
  });
});

describe('a live channel', () => {
  it('ends once with words and an error, and is sent nothing more', () => {
    const { channel, sent } = join();
    channel.answer();
    channel.fail('read again');
    channel.fail('read again');
    channel.sendChange('{}');
    expect(sent.slice(2)).toEqual(['ended', 'system error read again', 'phx_error']);
  });

  it('ends when its token has expired, clocks being as different as they may be', () => {
    const expires = Math.floor(Date.now() / 1000) + 60;
    const { channel, sent } = join({ expires });
    channel.answer();
    vi.advanceTimersByTime((59 + limits.token.clockTolerance) * 1000);
    channel.endIfDue();
    expect(channel.isLive).toBe(true);
    vi.advanceTimersByTime(2000);
    channel.endIfDue();
    expect(sent.slice(2)).toEqual(['ended', 'system error the access token has expired', 'phx_error']);
  });

  it('ends with a closing message only when its client leaves', () => {
    const [left, dropped] = [join(), join()];
    left.channel.answer();
    left.channel.leave();
    dropped.channel.answer();
    dropped.channel.drop();
    expect([left.sent.slice(2), dropped.sent.slice(2)]).toEqual([['ended', 'phx_close'], ['ended']]);
  });

  it('continues as the caller of its new token, but not after its end', () => {
    const { channel } = join();
    const next = { caller: callerOf('b'), expires: null, bindings: [] };
    channel.renew(next);
    expect(channel.caller).toBe(next.caller);
    channel.drop();
    channel.renew({ ...next, caller: callerOf('c') });
    expect(channel.caller).toBe(next.caller);
  });
});
