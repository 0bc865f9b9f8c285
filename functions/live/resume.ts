/**
 * Decides where a client that joins goes on. The protocol has no cursor, but the references of a client's messages go on
 * counting when it reconnects, while a fresh page begins low. So a client's earlier channel is among those of the same
 * user, topic and bindings whose last reference is below the first one of the socket it comes with.
 */
import { limits } from '../common/limits.ts';

/** Heartbeats of a socket that were answered, and how many of the answers have arrived for certain. */
export interface Heartbeats {
  answers: number;
  arrived: number;
}

/** A channel that ended, or one that counts as open but may have ended too, since a network can end without a word. */
export interface Place {
  /** Of a channel that ended: where the store keeps it. */
  id?: number;
  /** The id of its socket, and its heartbeats while it counts as open. */
  socket: string;
  open?: Heartbeats;
  /** The highest reference of the messages that came on that socket. */
  lastRef: number;
  /** The round up to which all changes have arrived at its client. */
  proven: number;
  /** The round up to which its client has all, if it joins again on the same socket. */
  sent: number;
  /** Its client was unknown when it joined, while the store was new: there may be others like it. */
  wasUnknown: boolean;
}

export type Resumption =
  /** The client is new: it is told from now on. */
  | { is: 'begin' }
  /** The client is told first what came after this round. */
  | { is: 'from'; round: number }
  /** The client was here before, and what it missed is not known any more. */
  | { is: 'missed' };

/** The socket on which a client joins. */
export interface Joining {
  id: string;
  /** The lowest reference of the messages that came on it. */
  firstRef: number;
  /** How many of its heartbeats were answered. */
  answers: number;
}

/**
 * Decides where a client goes on. On the socket of an earlier channel it goes on from what was sent there, because TCP keeps
 * the order. On another socket any of the channels with a lower reference may have been its own, so the earliest round
 * counts: what is told twice is cheap, and nothing is missed. `oldest` is the first round that is still known.
 */
export function resume(places: Place[], socket: Joining, oldest: number): Resumption {
  const own = places.find(place => place.socket === socket.id);
  const earlier = candidates(places, socket);
  if (own === undefined && earlier.length === 0) {
    return socket.firstRef > limits.live.freshRefs ? { is: 'missed' } : { is: 'begin' };
  }
  if (own === undefined && earlier.some(({ wasUnknown }) => wasUnknown)) {
    return { is: 'missed' };
  }
  const round = own?.sent ?? Math.min(...earlier.map(({ proven }) => proven));
  return round < oldest ? { is: 'missed' } : { is: 'from', round };
}

/** Returns the places that the client of this socket may have had. */
export const candidates = (places: Place[], { firstRef }: Pick<Joining, 'firstRef'>): Place[] =>
  places.filter(({ lastRef }) => lastRef < firstRef);

export interface Replaced {
  /** The place that is forgotten. */
  forget?: Place;
  /** The places that stand for it as well from now on, as they are changed. */
  lower: Place[];
}

/**
 * Says whether the client was here before with the channel that it joins. A page whose references are low may be new, and on a
 * socket that has been open for a while a channel may be.
 */
export const isReturn = ({ firstRef, answers }: Joining): boolean =>
  firstRef > limits.live.freshRefs && answers === 0;

/**
 * Returns which of the ended places the channel that now begins replaces: the one of the same socket, or one of those that a
 * client that returns may have been. While one of these counts as open none goes: whether its client is still there shows
 * later (claims.ts). A client that may be new replaces none, since that would be another's, who would lose changes.
 */
export function replace(places: Place[], socket: Joining): Replaced {
  const own = places.find(place => place.socket === socket.id && place.id !== undefined);
  if (own) {
    return { forget: own, lower: [] };
  }
  const earlier = isReturn(socket) ? candidates(places, socket) : [];
  return earlier.some(({ open }) => open) ? { lower: [] } : merge(earlier);
}

/**
 * Forgets one of these places, because the client of one of them has another now. It may be any of them, and another client
 * may come back to each: so the others take over the lowest reference and the earliest round of all, by which they are found
 * in its stead. The only one stays while its client would be taken for a new page if it came back, and so begin without a
 * word.
 */
export function merge(ended: Place[]): Replaced {
  const [latest, ...others] = ended.toSorted((a, b) => b.proven - a.proven);
  if (latest === undefined || (others.length === 0 && latest.lastRef < limits.live.freshRefs)) {
    return { lower: [] };
  }
  const lastRef = Math.min(...ended.map(place => place.lastRef));
  const proven = Math.min(...ended.map(place => place.proven));
  return { forget: latest, lower: others.map(place => ({ ...place, lastRef, proven })) };
}
