/**
 * The types for clients: with `createClient<Database>()`, supabase-js knows the rows that a select returns and that an
 * insert accepts. They are derived from the collections, in the shape of `supabase gen types`. They do not include
 * privileges, which depend on the caller.
 */
import type { Column, Reference } from './collection.ts';

export { type Issue, issuesOf } from './issue.ts';
export type { Json } from './postgres-types.ts';

import type { definitions } from './collections.ts';
import type { functionDefinitions } from './functions.ts';

/** A player of a roster, as applications store them in `customization.players`. The service does not check it. */
export type Player = {
  name: string;
  /** A text, since "00" and "0" are two players. */
  number: string;
  size: string;
};

type Columns = Record<string, Column>;

type Value<C> = C extends Column<infer T> ? (C extends { nullable: false } ? T : T | null) : never;

/** The type of a value when it is read. */
type StoredValue<C> = C extends { neverNull: true } ? NonNullable<Value<C>> : Value<C>;

/** The columns that a new row must have. */
type RequiredColumns<C extends Columns> = {
  [Name in keyof C]: C[Name] extends { nullable: false }
    ? C[Name] extends { default: string }
      ? never
      : Name
    : never;
}[keyof C];

type RowOf<C extends Columns> = {
  [Name in keyof C as C[Name] extends { privileges: { staff: readonly [] } } ? never : Name]: StoredValue<
    C[Name]
  >;
};
type Update<C extends Columns> = { [Name in keyof C]?: Value<C[Name]> };
type Insert<C extends Columns> = { [Name in RequiredColumns<C>]: StoredValue<C[Name]> } & Omit<
  Update<C>,
  RequiredColumns<C>
>;
type Flat<T> = { [Key in keyof T]: T[Key] };

/** Columns that no caller writes are not in the types for writing. */
type IfWritten<C extends Columns, T> = C[keyof C] extends {
  privileges: { staff: readonly ['select'] | readonly [] };
}
  ? never
  : T;

/** What supabase-js knows of a foreign key, by which it types `select('*, quote_events(*)')`. */
type Relationship<R> = R extends Reference
  ? {
      foreignKeyName: R['constraint'];
      columns: [R['column'], R['nullableBy']];
      isOneToOne: false;
      referencedRelation: R['to'];
      referencedColumns: ['id'];
    }
  : never;

type Relationships<R extends readonly Reference[]> = {
  -readonly [Index in keyof R]: Relationship<R[Index]>;
};

interface Table<C extends Columns, R extends readonly Reference[]> {
  Row: RowOf<C>;
  Insert: IfWritten<C, Flat<Insert<C>>>;
  Update: IfWritten<C, Update<C>>;
  Relationships: Relationships<R>;
}

/** An enumeration's type is the one kind of type that is in the schema `builder`. Other columns have any `PostgresName`. */
type EnumName<Type extends string> = Type extends `builder.${infer Name}`
  ? string extends Name
    ? never
    : Name
  : never;

type Nothing = Record<never, never>;

type ArgsOf<C extends Columns> = keyof C extends never ? never : Flat<Insert<C>>;
type ReturnOf<R> = R extends { value: infer C }
  ? StoredValue<C>
  : R extends { object: infer C extends Columns } | { row: { columns: infer C extends Columns } }
    ? RowOf<C>
    : never;

type Definition = (typeof definitions)[number];
type ReferencesOf<D> = D extends { references?: infer R extends readonly Reference[] } ? R : [];
type ColumnsOf<D> = D extends { columns: infer C extends Columns } ? C[keyof C] : never;

export interface Database {
  /** The PostgREST version, by which supabase-js knows the supported features (`maxAffected`). */
  __InternalSupabase: { PostgrestVersion: '14' };
  public: {
    Tables: {
      [C in Definition as C['name']]: Table<C['columns'], ReferencesOf<C>>;
    };
    Views: Nothing;
    Functions: {
      [F in (typeof functionDefinitions)[number] as F['name']]: {
        Args: ArgsOf<F['args']>;
        Returns: ReturnOf<F['returns']>;
      };
    };
    Enums: {
      [C in ColumnsOf<Definition> as EnumName<C['type']['postgres']>]: NonNullable<Value<C>>;
    };
    CompositeTypes: Nothing;
  };
}
