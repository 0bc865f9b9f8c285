/** From where a round reads the feed, while channels begin to listen and nobody else does. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { ok } from '../../functions/common/result.ts';
import { newChannel } from '../../functions/live/channel.ts';
import { Channels } from '../../functions/live/channels.ts';
import { Poll } from '../../functions/live/poll.ts';
import { LiveSocket } from '../../functions/live/socket.ts';
import { Sockets } from '../../functions/live/sockets.ts';
import { feedMessage } from '../../functions/statement/live.ts';
import type { Message } from '../../functions/statement/sql.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A poll for one channel that is joining. Each of its readings ends at a cursor with its number. */
function pollFor() {
  const channels = new Channels();
  const socket = LiveSocket.open({} as WebSocket, {
    version: '2.0.0',
    isService: false,
    isBrowser: false,
    network: '',
  });
  const channel = newChannel({
    ...{ socket, topic: 'realtime:x', joinRef: '1', expires: null, given: '[]', bindings: [] },
    caller: { kind: 'anon', audience: 'anon' },
  });
  channels.add(channel);
  const asked: Message[] = [];
  const poll = new Poll({
    channels,
    sockets: new Sockets(),
    report: { read: () => {}, published: () => {}, crashed: () => {} },
    store: { latestRound: () => undefined, addRound: () => asked.length, moveRound: () => {} },
    missed: () => {},
    ask: async message => {
      asked.push(message);
      return ok([{ next: `cursor ${asked.length}`, gap: 'false', lines: '[]' }]);
    },
  });
  return { poll, asked, channel };
}

it('what comes right after the round with which a channel begins is read, though that is not live yet', async () => {
  const { poll, asked, channel } = pollFor();
  await poll.run();
  const next = poll.run();
  poll.whenOpen(() => {
    channel.state = 'live';
  });
  await next;
  expect(asked).toEqual([feedMessage(null, null), feedMessage('cursor 1', null)]);
});

it('what came while nobody listened is not read', async () => {
  const { poll, asked } = pollFor();
  await poll.run();
  vi.advanceTimersByTime(limits.live.idleFor);
  await poll.run();
  expect(asked).toEqual([feedMessage(null, null), feedMessage(null, null)]);
});
