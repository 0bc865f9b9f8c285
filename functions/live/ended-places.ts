/** The places of channels that ended, in the object's SQLite: where their clients go on when they come back. */
import { createHash } from 'node:crypto';
import { limits } from '../common/limits.ts';
import type { Place } from './resume.ts';

/** By what the channel of a client that comes back is recognised: its user, its topic and its bindings. */
export interface Identity {
  user: string;
  topic: string;
  given: string;
}

/** A row as SQLite returns it: it has no booleans, but 0 and 1. */
export type Stored<Row> = { [Column in keyof Row]: Row[Column] extends boolean ? number : Row[Column] };

/** Returns a short name of it, since bindings may be long. */
const nameOf = (identity: Identity): string =>
  createHash('sha256')
    .update(JSON.stringify([identity.user, identity.topic, identity.given]))
    .digest('base64url');

export class EndedPlaces {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      create table if not exists places (
        id integer primary key autoincrement, user text not null, identity text not null, socket text not null,
        lastRef integer not null, proven integer not null, sent integer not null, wasUnknown integer not null,
        endedAt integer not null
      );
      create index if not exists places_by_identity on places (identity);
      create index if not exists places_by_user on places (user, endedAt);
    `);
  }

  /** Keeps the place among the latest of its user. */
  add(identity: Identity, { socket, lastRef, proven, sent, wasUnknown }: Place): void {
    const { endedOfUser } = limits.live;
    this.#sql.exec(
      `insert into places (user, identity, socket, lastRef, proven, sent, wasUnknown, endedAt)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      identity.user,
      nameOf(identity),
      socket,
      lastRef,
      proven,
      sent,
      Number(wasUnknown),
      Date.now(),
    );
    this.#sql.exec(
      `delete from places where id in (
         select id from places where user = ? order by endedAt desc, id desc limit -1 offset ?
       )`,
      identity.user,
      endedOfUser,
    );
  }

  /** Returns the places of this identity, the oldest first. */
  of(identity: Identity): Place[] {
    const query =
      'select id, socket, lastRef, proven, sent, wasUnknown from places where identity = ? order by id';
    const rows = this.#sql.exec<Stored<Omit<Place, 'open'>>>(query, nameOf(identity)).toArray();
    return rows.map(row => ({ ...row, wasUnknown: row.wasUnknown === 1 }));
  }

  change({ id = 0, lastRef, proven }: Place): void {
    this.#sql.exec('update places set lastRef = ?, proven = ? where id = ?', lastRef, proven, id);
  }

  remove({ id = 0 }: Place): void {
    this.#sql.exec('delete from places where id = ?', id);
  }

  /** Forgets places that are too old. */
  forgetOld(): void {
    this.#sql.exec('delete from places where endedAt < ?', Date.now() - limits.live.rememberedFor);
  }
}
