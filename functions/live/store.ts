/** What the object keeps in its SQLite: cursors of the feed by number, and channels, those that ended a while ago too. */
import type { Caller } from '../caller/caller.ts';
import { limits } from '../common/limits.ts';

/** A channel as it is stored. Numbers of rounds say how far the feed was told. */
export interface StoredChannel {
  id: number;
  socket: string;
  user: string;
  /** Whose it is, its topic and its bindings: by these a client that comes back is recognised. */
  identity: string;
  topic: string;
  joinRef: string | null;
  caller: Caller;
  /** Seconds since 1970. */
  expires: number | null;
  /** JSON of `postgres_changes`, as it came. */
  bindings: string;
  /** The number of its join, and later that of its client's last message. */
  lastRef: number;
  /** The round up to which it was told when it joined, and the one from which it is told with the others. */
  resumeFrom: number;
  liveFrom: number;
  /** Milliseconds since 1970; null while it is open. */
  endedAt: number | null;
}

/** `liveFrom` of a channel that is still to be told what it missed. */
export const notYetLive = Number.MAX_SAFE_INTEGER;

type StoredRow = Record<string, SqlStorageValue> & { caller: string };

export class Store {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      create table if not exists rounds (n integer primary key autoincrement, cursor text not null, at integer not null);
      create table if not exists channels (
        id integer primary key autoincrement, socket text not null, user text not null, identity text not null,
        topic text not null, joinRef text, caller text not null, expires integer, bindings text not null, lastRef integer not null,
        resumeFrom integer not null, liveFrom integer not null, endedAt integer
      );
      create index if not exists ended_channels on channels (identity) where endedAt is not null;
      create index if not exists ended_channels_of_a_user on channels (user, endedAt) where endedAt is not null;
      create table if not exists acknowledged (one integer primary key check (one = 1), n integer not null);
    `);
  }

  /** The latest cursor, up to which all is told. */
  latestRound(): { n: number; cursor: string } | undefined {
    return this.#first<{ n: number; cursor: string }>('select n, cursor from rounds order by n desc limit 1');
  }

  cursorOf(n: number): string | undefined {
    return this.#first<{ cursor: string }>('select cursor from rounds where n = ?', n)?.cursor;
  }

  /** Answers its number. */
  addRound(cursor: string): number {
    const added = this.#first<{ n: number }>(
      'insert into rounds (cursor, at) values (?, ?) returning n',
      cursor,
      Date.now(),
    );
    return added?.n ?? 0;
  }

  /** Nothing happened since, so the later cursor means the same. */
  moveRound(n: number, cursor: string): void {
    this.#sql.exec('update rounds set cursor = ?, at = ? where n = ?', cursor, Date.now(), n);
  }

  /** Answers its id. */
  addChannel(channel: Omit<StoredChannel, 'id' | 'endedAt'>): number {
    const added = this.#first<{ id: number }>(
      `insert into channels (socket, user, identity, topic, joinRef, caller, expires, bindings, lastRef, resumeFrom, liveFrom)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id`,
      channel.socket,
      channel.user,
      channel.identity,
      channel.topic,
      channel.joinRef,
      JSON.stringify(channel.caller),
      channel.expires,
      channel.bindings,
      channel.lastRef,
      channel.resumeFrom,
      channel.liveFrom,
    );
    return added?.id ?? 0;
  }

  setCaller({ id, user, identity, caller, expires }: StoredChannel): void {
    this.#sql.exec(
      'update channels set user = ?, identity = ?, caller = ?, expires = ? where id = ?',
      user,
      identity,
      JSON.stringify(caller),
      expires,
      id,
    );
  }

  setLiveFrom(id: number, n: number): void {
    this.#sql.exec('update channels set liveFrom = ? where id = ?', n, id);
  }

  /** Keeps it among the latest of its user. */
  endChannel({ id, user }: StoredChannel, resumeFrom: number, lastRef: number): void {
    this.#sql.exec(
      'update channels set resumeFrom = ?, lastRef = ?, endedAt = ? where id = ?',
      resumeFrom,
      lastRef,
      Date.now(),
      id,
    );
    this.#sql.exec(
      `delete from channels where id in (
         select id from channels where user = ? and endedAt is not null order by endedAt desc limit -1 offset ?
       )`,
      user,
      limits.live.endedOfUser,
    );
  }

  removeChannel(id: number): void {
    this.#sql.exec('delete from channels where id = ?', id);
  }

  openChannels(): StoredChannel[] {
    return this.#all<StoredRow>('select * from channels where endedAt is null').map(toChannel);
  }

  /** Those that ended, the latest first. */
  endedChannels(identity: string): StoredChannel[] {
    return this.#all<StoredRow>(
      'select * from channels where identity = ? and endedAt is not null order by lastRef desc, id desc limit ?',
      identity,
      limits.live.endedAlike,
    ).map(toChannel);
  }

  setResumeFrom(id: number, n: number): void {
    this.#sql.exec('update channels set resumeFrom = ? where id = ?', n, id);
  }

  /** The round up to which all sockets have proved to have everything. */
  get acknowledged(): number {
    return this.#first<{ n: number }>('select n from acknowledged')?.n ?? 0;
  }

  set acknowledged(n: number) {
    this.#sql.exec('insert into acknowledged values (1, ?) on conflict do update set n = excluded.n', n);
  }

  /** Forgets rounds and channels that are too old. The latest round stays, since the feed goes on there. */
  forgetOld(): void {
    const { resumableFor, rememberedFor } = limits.live;
    const now = Date.now();
    this.#sql.exec('delete from rounds where at < ? and n < (select max(n) from rounds)', now - resumableFor);
    this.#sql.exec('delete from channels where endedAt < ?', now - rememberedFor);
  }

  #first<T extends Record<string, SqlStorageValue>>(
    query: string,
    ...values: SqlStorageValue[]
  ): T | undefined {
    return this.#sql.exec<T>(query, ...values).toArray()[0];
  }

  #all<T extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): T[] {
    return this.#sql.exec<T>(query, ...values).toArray();
  }
}

const toChannel = (row: StoredRow): StoredChannel =>
  ({ ...row, caller: JSON.parse(row.caller) }) as unknown as StoredChannel;
