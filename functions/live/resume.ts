/** Where a client that comes back goes on. */
import { limits } from '../common/limits.ts';
import { type Channel, userOf } from './channels.ts';
import type { LiveSocket } from './socket.ts';
import type { Store, StoredChannel } from './store.ts';

/** By this a channel is recognised: the same user, topic and bindings. */
export const identityOf = ({
  caller,
  topic,
  bindings,
}: Pick<StoredChannel, 'caller' | 'topic' | 'bindings'>): string => `${userOf(caller)} ${topic} ${bindings}`;

/** A channel that may be the one that a client had before. */
interface Candidate {
  lastRef: number;
  /** The round from which it would go on. */
  from: number;
  /** Of a channel that ended. */
  endedId?: number;
}

/**
 * The round from which to go on; undefined when nothing is known of the channel, which then begins anew.
 *
 * On the same socket it is the channel that ended there. On another, references tell: those of a client go on counting
 * when it reconnects, while a fresh page begins low. So it is the channel whose last reference is the closest below the
 * first one of this socket. Those near it may be confused with it, so all of them go on at the earliest round: told twice
 * is better than missed. A channel that still counts as open may be the one, since a network can end without a word.
 */
export function takeEarlier(
  identity: string,
  socket: LiveSocket,
  open: Channel[],
  store: Store,
): number | undefined {
  const ended = store.endedChannels(identity);
  const own = ended.find(channel => channel.socket === socket.id);
  if (own) {
    store.removeChannel(own.id);
    return own.resumeFrom;
  }
  const candidates: Candidate[] = [
    ...ended.map(({ id, lastRef, resumeFrom }) => ({ lastRef, from: resumeFrom, endedId: id })),
    ...open
      .filter(({ stored, state }) => stored.identity === identity && state !== 'joining')
      .map(channel => ({ lastRef: channel.socket.lastRef, from: arrivedUpTo(channel) })),
  ].filter(({ lastRef }) => lastRef < socket.firstRef);
  const closest = Math.max(...candidates.map(({ lastRef }) => lastRef));
  const near = candidates.filter(({ lastRef }) => closest - lastRef <= limits.live.nearRefs);
  if (near.length === 0) {
    return undefined;
  }
  const from = Math.min(...near.map(candidate => candidate.from));
  const [taken, ...others] = near.flatMap(({ endedId }) => endedId ?? []);
  for (const id of others) {
    store.setResumeFrom(id, from);
  }
  if (taken !== undefined) {
    store.removeChannel(taken);
  }
  return from;
}

/** The round up to which everything has arrived at the client. */
export const arrivedUpTo = ({ stored, state, socket }: Channel): number =>
  state === 'live' && socket.acknowledged >= stored.liveFrom ? socket.acknowledged : stored.resumeFrom;

/** The channel ended, and its client may come back: up to which round everything arrived is kept. */
export function keepEnded(channel: Channel, store: Store): void {
  const { stored, state, socket } = channel;
  if (state === 'joining') {
    store.removeChannel(stored.id);
    return;
  }
  store.endChannel(stored, arrivedUpTo(channel), socket.lastRef);
}

/** Channels whose sockets ended while the object was gone, as all do at a deploy. */
export function endAbandoned(sockets: Set<string>, store: Store): void {
  const { acknowledged } = store;
  for (const channel of store.openChannels()) {
    if (!sockets.has(channel.socket)) {
      const { liveFrom, resumeFrom, lastRef } = channel;
      store.endChannel(channel, acknowledged >= liveFrom ? acknowledged : resumeFrom, lastRef);
    }
  }
}
