/**
 * Devices of one user with the same topic and bindings, and what the service knows of them, in memory: each device counts its
 * references as realtime-js does, and knows up to which round it has everything.
 */
import { Claims, claimOf } from '../../functions/live/claims.ts';
import { type Place, type Replaced, type Resumption, replace, resume } from '../../functions/live/resume.ts';

/** The first reference of a page with one channel in realtime-js 2.119. */
const firstOfPage = 6;
const identity = { user: 'user', topic: 'topic', given: '[]' };

interface Socket {
  id: string;
  firstRef: number;
  lastRef: number;
  answers: number;
  arrived: number;
  /** Rounds. */
  answeredRound: number;
  arrivedRound: number;
  resumedFrom: number;
  /** Its client sent a heartbeat before the connection broke, which may still come. */
  mayBeHeard: boolean;
}

export interface Device {
  lastRef: number;
  has: number;
  /** Undefined while it is without a connection. */
  socket?: Socket | undefined;
}

export class Devices {
  readonly all: Device[] = [];
  #round = 1;
  #ids = 0;
  readonly #open = new Set<Socket>();
  #ended: Place[] = [];
  readonly #claims = new Claims({
    placesOf: () => this.places,
    replace: replaced => this.#replace(replaced),
  });

  get places(): Place[] {
    return [...this.#ended, ...[...this.#open].map(placeOf)];
  }

  /** A page is opened. */
  add(): Device {
    const device: Device = { lastRef: firstOfPage - 1, has: this.#round };
    this.all.push(device);
    this.join(device);
    return device;
  }

  /** Everybody who is connected is told of what is new. */
  publish(): void {
    this.#round += 1;
    for (const device of this.all.filter(({ socket }) => socket)) {
      device.has = this.#round;
    }
  }

  /** Its connection breaks; the messages it sends before it notices are lost. */
  lose(device: Device, lostMessages: number): void {
    device.lastRef += lostMessages;
    if (device.socket) {
      device.socket.mayBeHeard = lostMessages > 0;
    }
    device.socket = undefined;
  }

  /** The service notices that this socket has ended. */
  end(socket: Socket): void {
    if (this.#open.delete(socket)) {
      const { open: _, ...place } = placeOf(socket);
      this.#ended.push({ ...place, id: ++this.#ids });
    }
  }

  /** All sockets that are nobody's any more. */
  endSilent(): void {
    for (const socket of this.silent) {
      this.end(socket);
    }
  }

  get silent(): Socket[] {
    return [...this.#open].filter(socket => this.all.every(device => device.socket !== socket));
  }

  beat(device: Device): void {
    if (device.socket) {
      device.lastRef += 1;
      this.#hear(device.socket, device.lastRef);
    }
  }

  /** A heartbeat comes that was long on its way: one at most, since a client waits for the answer before the next. */
  hearLate(socket: Socket): void {
    if (socket.mayBeHeard) {
      socket.mayBeHeard = false;
      this.#hear(socket, socket.lastRef + 1);
    }
  }

  #hear(socket: Socket, ref: number): void {
    socket.lastRef = Math.max(socket.lastRef, ref);
    socket.arrived = socket.answers;
    socket.arrivedRound = socket.answeredRound;
    socket.answers += 1;
    socket.answeredRound = this.#round;
  }

  /** It comes with a new connection, and has everything then. */
  join(device: Device): Resumption {
    const ref = ++device.lastRef;
    const begun = { answers: 0, arrived: 0, answeredRound: 0, arrivedRound: 0 };
    const socket = {
      id: `socket ${++this.#ids}`,
      firstRef: ref,
      lastRef: ref,
      ...begun,
      resumedFrom: this.#round,
      mayBeHeard: false,
    };
    const { places } = this;
    const resumption = resume(places, socket, 0);
    const replaced = replace(places, socket);
    this.#replace(replaced);
    this.#claims.merged(identity, replaced);
    const claim = claimOf(places, socket);
    if (claim) {
      this.#claims.add(identity, claim);
    }
    this.#open.add(socket);
    socket.resumedFrom = resumption.is === 'from' ? resumption.round : this.#round;
    device.socket = socket;
    return resumption;
  }

  /** Everything up to now, as `join` has decided. */
  catchUp(device: Device): void {
    device.has = this.#round;
  }

  settle(): void {
    this.#claims.settle();
  }

  #replace({ forget, lower }: Replaced): void {
    this.#ended = this.#ended
      .filter(({ id }) => id !== forget?.id)
      .map(place => lower.find(({ id }) => id === place.id) ?? place);
  }
}

const placeOf = (socket: Socket): Place => {
  const proven = socket.arrived > 0 ? socket.arrivedRound : socket.resumedFrom;
  const { id, lastRef } = socket;
  return { socket: id, open: socket, lastRef, proven, sent: proven, wasUnknown: false };
};
