/**
 * Who has one of a few places, and who is next: each sender in turn, none with more than a share. Knows neither what
 * the places are nor what time it is.
 */
export interface Bounds {
  places: number;
  /** The places that one sender has at most, so that the others find one. */
  share: number;
  /** How many wait at most, of all senders and of one. */
  waiting: number;
  waitingOfOne: number;
}

/** A place; or none, since this sender, or all together, want too much, or since none came free in time. */
export type Turn = 'taken' | 'too many' | 'full' | 'late';

export interface Waiting {
  /** Milliseconds since 1970. */
  until: number;
  resolve: (turn: Turn) => void;
}

interface Line<W> {
  sender: string;
  taken: number;
  waiting: W[];
}

export class FairQueue<W extends Waiting = Waiting> {
  readonly #bounds: Bounds;
  /** Of those who have a place or wait for one. */
  readonly #lines = new Map<string, Line<W>>();
  /** Those of them in which somebody waits; the first is the next. */
  #turns: Line<W>[] = [];
  #taken = 0;
  #waiting = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** What is `taken` is to be given back. Who may `wait` is to do that at once. */
  enter(sender: string): Exclude<Turn, 'late'> | 'wait' {
    const line = this.#lineOf(sender);
    const { places, share, waiting, waitingOfOne } = this.#bounds;
    if (this.#taken < places && line.taken < share) {
      this.#take(line);
      return 'taken';
    }
    if (line.waiting.length >= waitingOfOne) {
      return 'too many';
    }
    if (this.#waiting >= waiting) {
      return 'full';
    }
    return 'wait';
  }

  wait(sender: string, waiting: W): void {
    const line = this.#lineOf(sender);
    if (line.waiting.push(waiting) === 1) {
      this.#turns.push(line);
    }
    this.#lines.set(sender, line);
    this.#waiting += 1;
  }

  /** Nobody waits. */
  get isServed(): boolean {
    return this.#waiting === 0;
  }

  /** The next of a sender that has a place: it waits no more, and gets none of its own. Nobody while others wait too. */
  nextOf(sender: string): W | undefined {
    const [line, other] = this.#turns;
    if (line?.sender !== sender || other) {
      return undefined;
    }
    this.#waiting -= 1;
    const next = line.waiting.shift();
    if (line.waiting.length === 0) {
      this.#turns = [];
    }
    return next;
  }

  leave(sender: string): void {
    const line = this.#lines.get(sender);
    if (line === undefined) {
      return;
    }
    line.taken -= 1;
    this.#taken -= 1;
    this.#forgetWhenIdle(line);
    const next = this.#turns.find(({ taken }) => taken < this.#bounds.share);
    const first = next?.waiting.shift();
    if (next && first) {
      this.#waiting -= 1;
      this.#turns = this.#turns.filter(other => other !== next);
      if (next.waiting.length > 0) {
        this.#turns.push(next);
      }
      this.#take(next);
      first.resolve('taken');
    }
  }

  /** Those who have waited for too long wait no more. */
  giveUp(now: number): void {
    for (const line of this.#turns) {
      while (line.waiting[0] && line.waiting[0].until <= now) {
        this.#waiting -= 1;
        // Whom its own requests kept waiting learns that.
        line.waiting.shift()?.resolve(line.taken < this.#bounds.share ? 'late' : 'too many');
      }
      this.#forgetWhenIdle(line);
    }
    this.#turns = this.#turns.filter(({ waiting }) => waiting.length > 0);
  }

  #lineOf(sender: string): Line<W> {
    return this.#lines.get(sender) ?? { sender, taken: 0, waiting: [] };
  }

  #take(line: Line<W>): void {
    line.taken += 1;
    this.#taken += 1;
    this.#lines.set(line.sender, line);
  }

  #forgetWhenIdle(line: Line<W>): void {
    if (line.taken === 0 && line.waiting.length === 0) {
      this.#lines.delete(line.sender);
    }
  }
}
