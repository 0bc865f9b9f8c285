/**
 * Finds out later which channel a client that came back had before. When its network ended without a word, its old channel
 * counts as open like those of other devices, and when that ends at last, its place would be nobody's: every later return
 * would go on there. So each return claims one of the channels it may have been. Those whose clients are heard after it are
 * not meant; as soon as all others have ended, one of them goes.
 */
import { limits } from '../common/limits.ts';
import type { Identity } from './ended-places.ts';
import {
  candidates,
  type Heartbeats,
  isReturn,
  type Joining,
  merge,
  type Place,
  type Replaced,
} from './resume.ts';

/** A socket that was open then, and how many heartbeats had been answered on it. */
interface Awaited {
  heartbeats: Heartbeats;
  answers: number;
}

/** The channels of which the client had one before, by their sockets; undefined for one that had ended. */
export type Claim = ReadonlyMap<string, Awaited | undefined>;

/** Returns the claim of a client that returns, unless all that it may have been have ended, since `replace` decides then. */
export function claimOf(places: Place[], socket: Joining): Claim | undefined {
  const earlier = candidates(places, socket);
  const isDecided = earlier.every(({ open }) => !open) || places.some(place => place.socket === socket.id);
  return isDecided || !isReturn(socket) || earlier.length > limits.live.claimedPlaces
    ? undefined
    : new Map(
        earlier.map(({ socket: name, open }) => [name, open && { heartbeats: open, answers: open.answers }]),
      );
}

/** Returns what is replaced, as the places are now; `waiting` while that is not known, undefined when it never will be. */
export function settle(claim: Claim, places: Place[]): Replaced | 'waiting' | undefined {
  const left = [...claim].filter(([, awaited]) => isMeant(awaited)).map(([socket]) => socket);
  const found = places.filter(({ socket }) => left.includes(socket));
  // A channel that was left or forgotten meanwhile may have been the one.
  const isKnown = left.length > 0 && found.length === left.length;
  if (!isKnown) {
    return undefined;
  }
  return found.some(({ open }) => open) ? 'waiting' : merge(found);
}

/**
 * Whether the client may have had this channel. It had another if the channel's own client is still there: it has sent a
 * heartbeat after an answer that was sent after the claim.
 */
const isMeant = (awaited: Awaited | undefined): boolean =>
  !awaited || awaited.heartbeats.arrived <= awaited.answers;

export interface ClaimsParts {
  placesOf(identity: Identity): Place[];
  replace(replaced: Replaced): void;
}

export class Claims {
  readonly #parts: ClaimsParts;
  #claims: { identity: Identity; claim: Claim }[] = [];

  constructor(parts: ClaimsParts) {
    this.#parts = parts;
  }

  /** Keeps the claim, unless it is one too many: then a place may remain that is nobody's. */
  add(identity: Identity, claim: Claim): void {
    if (this.#claims.length < limits.live.claims) {
      this.#claims.push({ identity, claim });
    }
  }

  /**
   * Puts the others of those that were merged in place of the one that went, in whatever claims that too; unless that one was
   * heard since, and so is not what that claim means.
   */
  merged(identity: Identity, { forget, lower }: Replaced): void {
    for (const pending of this.#claims) {
      if (forget && isSame(pending.identity, identity) && pending.claim.has(forget.socket)) {
        const others = [...pending.claim].filter(([socket]) => socket !== forget.socket);
        const stand = isMeant(pending.claim.get(forget.socket)) ? lower : [];
        pending.claim = new Map([...others, ...stand.map(({ socket }) => [socket, undefined] as const)]);
      }
    }
  }

  settle(): void {
    const claims = this.#claims;
    for (const pending of claims) {
      const { identity, claim } = pending;
      const settled = settle(claim, this.#parts.placesOf(identity));
      if (settled === 'waiting') {
        continue;
      }
      pending.claim = new Map();
      if (settled) {
        this.#parts.replace(settled);
        this.merged(identity, settled);
      }
    }
    this.#claims = claims.filter(({ claim }) => claim.size > 0);
  }
}

const isSame = (one: Identity, other: Identity): boolean =>
  one.user === other.user && one.topic === other.topic && one.given === other.given;
