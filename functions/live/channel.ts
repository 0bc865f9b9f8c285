/** A channel that a client has joined, and how far it was told. */
import type { Caller } from '../caller/caller.ts';
import type { Binding } from './bindings.ts';
import type { Place } from './resume.ts';
import type { LiveSocket } from './socket.ts';

export interface Channel {
  /** Where the store keeps it; 0 while it is joining. */
  id: number;
  socket: LiveSocket;
  topic: string;
  joinRef: string | null;
  caller: Caller;
  /** When its token expires, in seconds since 1970. */
  expires: number | null;
  /** JSON of `postgres_changes`, as it came, and what it means. */
  given: string;
  bindings: Binding[];
  /**
   * `joining`: its client has no answer yet; `resuming`: it is told first what it missed; `live`: it is told what is new;
   * `ended`.
   */
  state: 'joining' | 'resuming' | 'live' | 'ended';
  /** The round up to which its client had everything when it joined. */
  resumeFrom: number;
  /** How many heartbeats its socket had answered when the join was answered, and when it became live. */
  answeredAt: number;
  liveAt: number;
  /** The store knows that what it was told first has arrived. */
  isProven: boolean;
  /** Nothing was known of its client when it joined, and the store was new. */
  wasUnknown: boolean;
  /** Bytes told of what it missed. */
  resumedBytes: number;
}

/** Returns a channel whose client waits for the answer to its join. */
export const newChannel = (
  joined: Pick<Channel, 'socket' | 'topic' | 'joinRef' | 'caller' | 'expires' | 'given' | 'bindings'>,
): Channel => ({
  ...joined,
  id: 0,
  state: 'joining',
  resumeFrom: 0,
  answeredAt: joined.socket.state.answers,
  liveAt: joined.socket.state.answers,
  isProven: false,
  wasUnknown: false,
  resumedBytes: 0,
});

/**
 * Why a client is told to read again: the feed does not reach back so far, it was sent too much, its rows take too long to
 * read, or nothing is known of where it was.
 */
export type MissedWhy = 'gap' | 'bytes' | 'time' | 'unknown';

/** Returns the user, whatever its claims are at the moment. */
export const userOf = ({ kind, claims }: Caller): string => (claims && 'sub' in claims ? claims.sub : kind);

export const isEnded = ({ state }: Channel): boolean => state === 'ended';

/** Whether its client has the answer to its join: a client that gave up waiting for it ignores what it is told. */
export const isJoinProven = ({ socket, answeredAt, state }: Channel): boolean =>
  state !== 'joining' && socket.state.arrived > answeredAt;

/** Whether what it missed has arrived, and so everything up to the round that its socket has proved. */
export const isLiveProven = ({ socket, liveAt, state }: Channel): boolean =>
  state === 'live' && socket.state.arrived > liveAt;

/** Returns the round up to which everything has arrived at its client. */
export const provenRound = (channel: Channel): number =>
  isLiveProven(channel) ? channel.socket.state.arrivedRound : channel.resumeFrom;

/** Returns where its client goes on when it comes back. `round` is the latest, up to which a live channel was sent everything. */
export const placeOf = (channel: Channel, round: number): Place => ({
  socket: channel.socket.state.id,
  open: channel.socket.state,
  lastRef: channel.socket.state.lastRef,
  proven: provenRound(channel),
  sent: channel.state === 'live' && isJoinProven(channel) ? round : channel.resumeFrom,
  wasUnknown: channel.wasUnknown,
});
