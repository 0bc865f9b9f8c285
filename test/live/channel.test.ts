/** The states of a channel, and what is sent at each transition. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { limits } from '../../functions/common/limits.ts';
import { type Channel, Channels } from '../../functions/live/channel.ts';
import { liveLimits } from '../../functions/live/limits.ts';
import { LiveSocket } from '../../functions/live/socket.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const customer = (sub: string, accounts: string[] = []): Caller => ({
  kind: 'customer',
  audience: 'customer',
  claims: { role: 'authenticated', sub, app_metadata: { accounts } } as never,
});

/** A channel that is joining, and the events that its client is sent. */
function join({ expires = null, ref = '1' }: { expires?: number | null; ref?: string | number } = {}) {
  const sent: string[] = [];
  const socket = new LiveSocket(
    {
      send: (text: string) => {
        const [joinRef, reference, , event, payload] = JSON.parse(text);
        sent.push([event, payload.status ?? '', payload.message ?? ''].join(' ').trim());
        expect(joinRef ?? reference).toBe(ref);
      },
      close: () => {},
    } as Pick<WebSocket, 'send' | 'close'>,
    { version: '2.0.0', isService: false, isBrowser: false, network: '' },
  );
  const channels = new Channels();
  const channel = channels.add({
    frame: { joinRef: null, ref, topic: 'realtime:x', event: 'phx_join', payload: {} },
    ...{ at: Date.now(), socket, caller: customer('a'), expires },
    ...{ given: [], givenJson: '[]', bindings: [], expectsMore: false },
  });
  return { channel, channels, sent };
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
    ['is left', channel => channel.leave(), ['phx_close']],
    ['is joined again', channel => channel.drop(), []],
    ['has its token refused', channel => channel.fail('x'), ['system error x', 'phx_error']],
  ])('is answered with an error when it %s', (_, end, more) => {
    const { channel, sent } = join();
    end(channel);
    expect(sent).toEqual(['phx_reply error', ...more]);
  });

  it('is refused when its answer would come too late', () => {
    const { channel, channels, sent } = join();
    vi.advanceTimersByTime(liveLimits.answerWithin + 1);
    channel.endIfDue(Date.now());
    channel.answer();
    expect([channels.size, sent]).toEqual([0, ['phx_reply error']]);
  });
});

describe('a live channel', () => {
  it('ends with words and an error when it misses changes, and is sent nothing more', () => {
    const { channel, channels, sent } = join();
    channel.answer();
    channel.miss();
    channel.miss();
    channel.sendChange('{}');
    expect(sent.slice(2)).toEqual(['system error changes were missed: read again', 'phx_error']);
    expect([channels.size, channels.callers]).toEqual([0, []]);
  });

  it('ends when its token has expired, clocks being as different as they may be', () => {
    const expires = Math.floor(Date.now() / 1000) + 60;
    const { channel, sent } = join({ expires });
    channel.answer();
    vi.advanceTimersByTime((59 + limits.token.clockTolerance) * 1000);
    channel.endIfDue(Date.now());
    expect(channel.isLive).toBe(true);
    vi.advanceTimersByTime(2000);
    channel.endIfDue(Date.now());
    expect(sent.slice(2)).toEqual(['system error the access token has expired', 'phx_error']);
  });

  it('ends with a closing message only when its client leaves', () => {
    const [left, dropped] = [join(), join()];
    left.channel.answer();
    left.channel.leave();
    dropped.channel.answer();
    dropped.channel.drop();
    expect([left.sent.slice(2), dropped.sent.slice(2)]).toEqual([['phx_close'], []]);
  });

  it('moves to the caller of its new token, and takes the newer accounts along', () => {
    const { channel, channels } = join();
    channel.answer();
    const next = channels.callerFor(customer('a', ['team']));
    next.accounts.add('team');
    next.askedAt = Date.now();
    channel.renew(next, null, []);
    expect(channels.callers.map(({ accounts }) => [...accounts])).toEqual([['team']]);
    expect(channel.caller).toBe(channels.callerFor(customer('a', ['team'])));
  });

  it('takes no new token after its end', () => {
    const { channel, channels } = join();
    channel.drop();
    channel.renew(channels.callerFor(customer('a', ['team'])), null, []);
    expect(channels.callers).toEqual([]);
  });
});
