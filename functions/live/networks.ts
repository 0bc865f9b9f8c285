/**
 * How many sockets a network may have. One that has joined no channel takes a place of its network until it ends: a stranger
 * gets few of them. Each socket that joins frees its place and adds another, so that an office whose pages reconnect at once is
 * back soon; its upgrades wait for a place meanwhile.
 */

import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { liveLimits } from './live-limits.ts';

interface Network {
  /** Sockets that have not ended, and those about to open: those that have joined nothing, and the others. */
  unjoined: number;
  joined: number;
  /** The most that had joined at once. */
  members: number;
  /** When its last socket ended, by monotonicNow(). */
  endedAt: number;
  /** Upgrades that wait for a place. */
  waiting: Set<(isAdmitted: boolean) => void>;
}

export class Networks {
  readonly #networks = new Map<string, Network>();
  #waiting = 0;

  /** Resolves when a network may open another socket, and takes a place for it. */
  async admit(name: string): Promise<Result<void>> {
    const { socketsOfNetwork, waiting, waitFor } = liveLimits;
    const network = this.#networkOf(name);
    if (network.unjoined + network.joined >= socketsOfNetwork) {
      return tooMany('a network', socketsOfNetwork);
    }
    // Where the network is not known, as on a developer's machine, there is always a place.
    if (name === '' || (network.waiting.size === 0 && hasPlace(network))) {
      network.unjoined += 1;
      return ok(undefined);
    }
    if (this.#waiting < waiting) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(false), waitFor);
      this.#waiting += 1;
      network.waiting.add(resolve);
      const isAdmitted = await promise;
      network.waiting.delete(resolve);
      this.#waiting -= 1;
      clearTimeout(timer);
      if (isAdmitted) {
        return ok(undefined);
      }
    }
    return tooMany('a network without a joined channel', placesOf(network));
  }

  /** Whether any upgrade waits for a place. */
  get hasWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Returns how many upgrades of a network wait for a place. */
  waitingOf(name: string): number {
    return this.#networks.get(name)?.waiting.size ?? 0;
  }

  /** Frees the place of a socket that has joined its first channel. */
  join(name: string): void {
    const network = this.#networkOf(name);
    network.unjoined -= 1;
    network.joined += 1;
    network.members = Math.max(network.members, network.joined);
    admitWaiting(network);
  }

  /** Removes a socket that has ended. */
  remove(name: string, hadJoined: boolean): void {
    const network = this.#networkOf(name);
    network[hadJoined ? 'joined' : 'unjoined'] -= 1;
    admitWaiting(network);
    if (network.unjoined + network.joined === 0) {
      this.#keep(name, network);
    }
  }

  /** Keeps a network that has no sockets, with others like it, as long as it has had members. */
  #keep(name: string, network: Network): void {
    network.endedAt = monotonicNow();
    this.#networks.delete(name);
    if (network.members > 0) {
      this.#networks.set(name, network);
    }
    if (this.#networks.size > liveLimits.networksKept) {
      const [oldest = ''] = [...this.#networks].find(([, { endedAt }]) => endedAt > 0) ?? [];
      this.#networks.delete(oldest);
    }
  }

  #networkOf(name: string): Network {
    const known = this.#networks.get(name);
    if (known && (known.endedAt === 0 || monotonicNow() - known.endedAt < liveLimits.networkKeptFor)) {
      known.endedAt = 0;
      return known;
    }
    const network: Network = { unjoined: 0, joined: 0, members: 0, endedAt: 0, waiting: new Set() };
    this.#networks.set(name, network);
    return network;
  }
}

const tooMany = (of: string, limit: number) => fail<Failure>({ is: 'too many sockets', of, limit });

const placesOf = ({ members }: Network): number => liveLimits.unjoinedOfNetwork + members;

const hasPlace = (network: Network): boolean => network.unjoined < placesOf(network);

/** Gives places that are free to upgrades that wait for one. */
function admitWaiting(network: Network): void {
  for (const admit of network.waiting) {
    if (hasPlace(network)) {
      network.waiting.delete(admit);
      network.unjoined += 1;
      admit(true);
    }
  }
}
