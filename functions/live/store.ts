/** What the object keeps in its SQLite: rounds of the feed by number, and open channels; ended-places.ts has those that ended. */
import type { Caller } from '../caller/caller.ts';
import { limits } from '../common/limits.ts';
import { type Channel, userOf } from './channel.ts';
import { EndedPlaces, type Stored } from './ended-places.ts';

/** An open channel as it is stored, for the case that the object leaves memory. */
export interface StoredChannel {
  id: number;
  socket: string;
  topic: string;
  joinRef: string | null;
  /** JSON of its caller. */
  caller: string;
  /** Seconds since 1970. */
  expires: number | null;
  given: string;
  /** The number of its socket's last message when it was joined. */
  lastRef: number;
  resumeFrom: number;
  isLive: boolean;
  /** Everything up to resumeFrom has arrived, and since then what has arrived at all channels. */
  isProven: boolean;
  wasUnknown: boolean;
}

/** A round of the feed: its number, and the cursor up to which all was told in it. */
export interface Round {
  n: number;
  cursor: string;
}

export class Store {
  readonly places: EndedPlaces;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.places = new EndedPlaces(sql);
    sql.exec(`
      create table if not exists rounds (n integer primary key autoincrement, cursor text not null, at integer not null);
      create table if not exists open_channels (
        id integer primary key autoincrement, socket text not null, topic text not null, joinRef text, caller text not null,
        expires integer, given text not null, lastRef integer not null, resumeFrom integer not null,
        isLive integer not null, isProven integer not null, wasUnknown integer not null
      );
      create table if not exists begun (one integer primary key check (one = 1), at integer not null);
      create table if not exists arrived (one integer primary key check (one = 1), n integer not null);
    `);
    sql.exec('insert into begun values (1, ?) on conflict do nothing', Date.now());
  }

  /** Whether the store was made a moment ago: clients that were connected before come back about now. */
  get isNew(): boolean {
    const begun = this.#first<{ at: number }>('select at from begun')?.at ?? 0;
    return Date.now() - begun < limits.live.newFor;
  }

  latestRound(): Round | undefined {
    return this.#first<{ n: number; cursor: string }>('select n, cursor from rounds order by n desc limit 1');
  }

  /** Returns the number of the first round whose cursor is known. */
  oldestRound(): number {
    return this.#first<{ n: number }>('select min(n) as n from rounds')?.n ?? 0;
  }

  cursorOf(n: number): string | undefined {
    return this.#first<{ cursor: string }>('select cursor from rounds where n = ?', n)?.cursor;
  }

  /** Returns its number. */
  addRound(cursor: string): number {
    const insert = 'insert into rounds (cursor, at) values (?, ?) returning n';
    return this.#first<{ n: number }>(insert, cursor, Date.now())?.n ?? 0;
  }

  /** Moves a round to a later cursor, which means the same, since nothing happened in between. */
  moveRound(n: number, cursor: string): void {
    this.#sql.exec('update rounds set cursor = ?, at = ? where n = ?', cursor, Date.now(), n);
  }

  /** Returns its id. */
  addChannel(channel: Channel): number {
    const { socket, topic, joinRef, caller, expires, given, resumeFrom, state, isProven, wasUnknown } =
      channel;
    const insert = `
      insert into open_channels (socket, topic, joinRef, caller, expires, given, lastRef, resumeFrom, isLive, isProven, wasUnknown)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id`;
    const row = this.#first<{ id: number }>(
      insert,
      socket.state.id,
      topic,
      joinRef,
      JSON.stringify(caller),
      expires,
      given,
      socket.state.lastRef,
      resumeFrom,
      Number(state === 'live'),
      Number(isProven),
      Number(wasUnknown),
    );
    return row?.id ?? 0;
  }

  setCaller(id: number, caller: Caller, expires: number | null): void {
    this.#sql.exec(
      'update open_channels set caller = ?, expires = ? where id = ?',
      JSON.stringify(caller),
      expires,
      id,
    );
  }

  setLive(id: number): void {
    this.#sql.exec('update open_channels set isLive = 1 where id = ?', id);
  }

  setProven(id: number): void {
    this.#sql.exec('update open_channels set isProven = 1 where id = ?', id);
  }

  removeChannel(id: number): void {
    this.#sql.exec('delete from open_channels where id = ?', id);
  }

  openChannels(): StoredChannel[] {
    const rows = this.#all<Stored<StoredChannel>>('select * from open_channels');
    return rows.map(row => ({
      ...row,
      isLive: row.isLive === 1,
      isProven: row.isProven === 1,
      wasUnknown: row.wasUnknown === 1,
    }));
  }

  /** Ends a channel whose socket ended while the object was out of memory. */
  endChannel(channel: StoredChannel): void {
    const { id, socket, topic, caller, given, lastRef, resumeFrom, isProven, wasUnknown } = channel;
    const proven = isProven ? Math.max(this.arrived, resumeFrom) : resumeFrom;
    this.removeChannel(id);
    this.places.add(
      { user: userOf(JSON.parse(caller)), topic, given },
      { socket, lastRef, proven, sent: resumeFrom, wasUnknown },
    );
  }

  /** The round up to which everything has arrived on all proven channels, as it was stored last. */
  get arrived(): number {
    return this.#first<{ n: number }>('select n from arrived')?.n ?? 0;
  }

  set arrived(n: number) {
    if (n !== this.arrived) {
      this.#sql.exec('insert into arrived values (1, ?) on conflict do update set n = excluded.n', n);
    }
  }

  /** Forgets rounds and places that are too old. The latest round stays, since the feed goes on there. */
  forgetOld(): void {
    const before = Date.now() - limits.live.resumableFor;
    this.#sql.exec('delete from rounds where at < ? and n < (select max(n) from rounds)', before);
    this.places.forgetOld();
  }

  #first<T>(query: string, ...values: SqlStorageValue[]): T | undefined {
    return this.#all<T>(query, ...values)[0];
  }

  #all<T>(query: string, ...values: SqlStorageValue[]): T[] {
    return this.#sql.exec(query, ...values).toArray() as T[];
  }
}
