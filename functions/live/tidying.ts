/** What is done again and again while anybody listens: faulty sockets and expired channels end, and progress is stored. */
import { limits } from '../common/limits.ts';
import { isLiveProven, provenRound } from './channel.ts';
import type { Channels } from './channels.ts';
import type { Places } from './places.ts';
import type { Poll } from './poll.ts';
import type { Protocol } from './protocol.ts';
import type { Sockets } from './sockets.ts';
import type { Store } from './store.ts';

interface TidyingParts {
  channels: Channels;
  sockets: Sockets;
  store: Store;
  poll: Poll;
  places: Places;
  protocol: Protocol;
  /** Closes a socket, for a reason that its client is told. */
  close: (webSocket: WebSocket, reason: string) => void;
}

export class Tidying {
  readonly #parts: TidyingParts;
  #storedAt = 0;

  constructor(parts: TidyingParts) {
    this.#parts = parts;
  }

  /** Closes what is silent, expired or holds too much, and stores now and then what has arrived everywhere. */
  run(): void {
    this.#closeFaulty();
    this.#expire();
    if (Date.now() - this.#storedAt > limits.live.storeInterval) {
      this.#storedAt = Date.now();
      this.#storeArrived();
      this.#parts.places.settle();
    }
  }

  #closeFaulty(): void {
    const { sockets, close } = this.#parts;
    const largest = new Set(sockets.largest());
    for (const [webSocket, socket] of sockets.entries) {
      const fault = largest.has(socket) ? 'Connect again: much was sent to this user' : socket.fault;
      if (fault !== undefined && !socket.isClosing) {
        close(webSocket, fault);
      }
    }
  }

  #expire(): void {
    const { channels, protocol } = this.#parts;
    const expired = Date.now() / 1000 - limits.token.clockTolerance;
    for (const channel of channels.all) {
      if (channel.expires !== null && channel.expires < expired) {
        protocol.expire(channel);
      }
    }
  }

  /** Stores what has arrived on all channels whose first changes have arrived; the store knows of the others by themselves. */
  #storeArrived(): void {
    const { channels, store, poll } = this.#parts;
    let arrived = poll.latestRound;
    for (const channel of channels.all.filter(isLiveProven)) {
      arrived = Math.min(arrived, provenRound(channel));
      if (!channel.isProven) {
        channel.isProven = true;
        store.setProven(channel.id);
      }
    }
    store.arrived = arrived;
    store.forgetOld();
  }
}
