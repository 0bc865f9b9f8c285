/** Where a client that comes back goes on. */
import { limits } from '../common/limits.ts';
import { type Channel, userOf } from './channels.ts';
import type { Store, StoredChannel } from './store.ts';

/** By this a channel is recognised: the same user, topic and bindings. */
export const identityOf = ({
  caller,
  topic,
  bindings,
}: Pick<StoredChannel, 'caller' | 'topic' | 'bindings'>): string => `${userOf(caller)} ${topic} ${bindings}`;

/**
 * The round from which to go on; undefined when nothing is known of the channel, which then begins anew. The references of
 * a client go on counting when it reconnects, while a fresh page begins low. Of several channels that ended the one with
 * the closest lower reference is taken. Those near it may be confused with it, so all of them go on at the earliest
 * round: told twice is better than missed.
 */
export function takeEnded(identity: string, ref: number, store: Store): number | undefined {
  const [taken, ...others] = store.endedChannels(identity, ref);
  if (taken === undefined) {
    return undefined;
  }
  const near = others.filter(({ lastRef }) => taken.lastRef - lastRef <= limits.live.nearRefs);
  const from = Math.min(taken.resumeFrom, ...near.map(({ resumeFrom }) => resumeFrom));
  for (const { id } of near) {
    store.setResumeFrom(id, from);
  }
  store.removeChannel(taken.id);
  return from;
}

/** The channel ended, and its client may come back: up to which round everything arrived is kept. */
export function keepEnded({ stored, state, socket }: Channel, store: Store): void {
  if (state === 'joining') {
    store.removeChannel(stored.id);
    return;
  }
  const hasArrived = state === 'live' && socket.acknowledged >= stored.liveFrom;
  store.endChannel(stored.id, hasArrived ? socket.acknowledged : stored.resumeFrom, socket.lastRef);
}

/** Channels whose sockets ended while the object was gone, as all do at a deploy. */
export function endAbandoned(sockets: Set<string>, store: Store): void {
  const { acknowledged } = store;
  for (const { id, socket, liveFrom, resumeFrom, lastRef } of store.openChannels()) {
    if (!sockets.has(socket)) {
      store.endChannel(id, acknowledged >= liveFrom ? acknowledged : resumeFrom, lastRef);
    }
  }
}
