/** Bounds the channels and bindings of one user, on all its sockets together, since all users share one object. */
import { limits } from '../common/limits.ts';
import type { Failure } from '../failure/failure.ts';
import { tooMany } from '../request/excess.ts';
import type { Binding } from './bindings.ts';
import type { Channel } from './channel.ts';
import type { Channels } from './channels.ts';
import type { LiveSocket } from './socket.ts';
import type { Sockets } from './sockets.ts';

/** Returns the failure of a user who would have too much with one more channel on this socket. */
export function findExcess(
  user: string,
  socket: LiveSocket,
  { given, bindings }: Pick<Channel, 'given' | 'bindings'>,
  sockets: Sockets,
  channels: Channels,
): Failure | undefined {
  const { live } = limits;
  const own = new Set(sockets.ofUser(user)).add(socket);
  if (own.size > live.socketsOfCaller) {
    return { is: 'too many sockets', of: 'a caller', limit: live.socketsOfCaller };
  }
  if (sockets.unread(user).closing > live.bytesOfUser / 2) {
    return { is: 'too many sockets', of: 'a caller whose closed ones were not read to their end', limit: 0 };
  }
  if (given.length > live.bindingsLength) {
    return tooMany('characters in the bindings of a channel', live.bindingsLength);
  }
  const others = channels.ofUser(user);
  const sum = (count: (channel: Pick<Channel, 'given' | 'bindings'>) => number): number =>
    [...others, { given, bindings }].reduce((total, channel) => total + count(channel), 0);
  if (others.length >= live.channelsOfUser) {
    return tooMany('channels of a user', live.channelsOfUser);
  }
  if (sum(channel => channel.bindings.length) > live.bindingsOfUser) {
    return tooMany('bindings of a user', live.bindingsOfUser);
  }
  if (sum(channel => channel.given.length) > live.bindingsLengthOfUser) {
    return tooMany('characters in the bindings of a user', live.bindingsLengthOfUser);
  }
  return findExcessOfRows([...others.flatMap(channel => channel.bindings), ...bindings]);
}

/** Finds too many filters or lists of columns: each is made for every row that the user sees. */
function findExcessOfRows(bindings: Binding[]): Failure | undefined {
  const { conditionsOfCaller, selectionsOfCaller } = limits.live;
  const count = (names: string[]): number => new Set(names).size;
  const conditions = count(
    bindings.flatMap(({ collection, filter }) =>
      filter.conditions.map(({ text }) => `${collection.name} ${text}`),
    ),
  );
  if (conditions > conditionsOfCaller) {
    return tooMany('different filters of a caller', conditionsOfCaller);
  }
  return count(bindings.map(({ collection, selection }) => `${collection.name} ${selection.text}`)) >
    selectionsOfCaller
    ? tooMany('different lists of columns of a caller', selectionsOfCaller)
    : undefined;
}
