/** Sockets and channels that were there before the object came into memory. */
import type { Caller } from '../caller/caller.ts';
import { planBindings } from './bindings.ts';
import type { CatchUp } from './catch-up.ts';
import { newChannel } from './channel.ts';
import type { Channels } from './channels.ts';
import type { Poll } from './poll.ts';
import type { Report } from './report.ts';
import { LiveSocket } from './socket.ts';
import type { Sockets } from './sockets.ts';
import type { Store, StoredChannel } from './store.ts';

export interface RestoreParts {
  channels: Channels;
  sockets: Sockets;
  store: Store;
  poll: Poll;
  catchUp: CatchUp;
  report: Report;
}

/** Restores sockets and their channels. A channel whose socket is not among these ended meanwhile, as all do at a deploy. */
export function restore(webSockets: WebSocket[], parts: RestoreParts): void {
  const byId = new Map<string, LiveSocket>();
  for (const webSocket of webSockets) {
    const socket = LiveSocket.restore(webSocket);
    parts.sockets.add(webSocket, socket);
    byId.set(socket.state.id, socket);
  }
  for (const stored of parts.store.openChannels()) {
    const socket = byId.get(stored.socket);
    if (!socket || !restoreChannel(stored, socket, parts)) {
      parts.store.endChannel(stored);
    }
  }
}

/** Restores a channel, which is told what came since the latest round. False when its bindings are no longer right. */
function restoreChannel(stored: StoredChannel, socket: LiveSocket, parts: RestoreParts): boolean {
  const { channels, poll, catchUp, report } = parts;
  const caller: Caller = JSON.parse(stored.caller);
  const bindings = planBindings(JSON.parse(stored.given), caller);
  if (!bindings.ok) {
    return false;
  }
  const { topic, joinRef, expires, given } = stored;
  const channel = newChannel({ socket, topic, joinRef, caller, expires, given, bindings: bindings.value });
  channel.id = stored.id;
  channel.state = 'resuming';
  channel.resumeFrom = stored.isProven ? socket.state.arrivedRound : stored.resumeFrom;
  channel.wasUnknown = stored.wasUnknown;
  channels.add(channel);
  catchUp.add(channel, stored.isLive ? poll.latestRound : stored.resumeFrom).catch(report.crashed);
  return true;
}
