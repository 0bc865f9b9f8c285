/** Where clients that come back go on, and which of the known places that replaces. */
import { type Channel, placeOf, userOf } from './channel.ts';
import type { Channels } from './channels.ts';
import { Claims, claimOf } from './claims.ts';
import type { Identity } from './ended-places.ts';
import type { Poll } from './poll.ts';
import { type Place, type Replaced, type Resumption, replace, resume } from './resume.ts';
import type { Sockets } from './sockets.ts';
import type { Store } from './store.ts';

export interface PlacesParts {
  channels: Channels;
  sockets: Sockets;
  store: Store;
  poll: Poll;
}

export class Places {
  readonly #parts: PlacesParts;
  readonly #claims = new Claims({
    placesOf: identity => this.#of(identity),
    replace: replaced => this.#replace(replaced),
  });

  constructor(parts: PlacesParts) {
    this.#parts = parts;
  }

  /** Decides where the client of a channel that has just been joined goes on. */
  begin({ socket, caller, topic, given }: Channel): Resumption {
    const identity = { user: userOf(caller), topic, given };
    const places = this.#of(identity);
    const resumption = resume(places, socket.state, this.#parts.store.oldestRound());
    const replaced = replace(places, socket.state);
    this.#replace(replaced);
    if (replaced.forget?.socket !== socket.state.id) {
      this.#claims.merged(identity, replaced);
    }
    const claim = claimOf(places, socket.state);
    if (claim) {
      this.#claims.add(identity, claim);
    }
    return resumption;
  }

  /** Forgets places that have turned out to be nobody's. */
  settle(): void {
    this.#claims.settle();
  }

  /** Returns the places of channels that ended, and of those that have begun and are open. */
  #of(identity: Identity): Place[] {
    const { channels, sockets, store, poll } = this.#parts;
    const { user, topic, given } = identity;
    const connected = new Map([...sockets.ofUser(user)].map(socket => [socket.state.id, socket]));
    const ended = store.places.of(identity).map(place => {
      const socket = connected.get(place.socket);
      return socket && !socket.isClosing ? { ...place, open: socket.state } : place;
    });
    const open = channels
      .ofUser(user)
      .filter(other => other.topic === topic && other.given === given && other.state !== 'joining');
    return [...ended, ...open.map(channel => placeOf(channel, poll.latestRound))];
  }

  #replace({ forget, lower }: Replaced): void {
    const { store } = this.#parts;
    if (forget) {
      store.places.remove(forget);
    }
    for (const place of lower) {
      store.places.change(place);
    }
  }
}
