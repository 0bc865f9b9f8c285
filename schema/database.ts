/**
 * The types of the client: `createClient<Database>()` of supabase-js knows by them what a select answers and what an
 * insert takes. They are derived from the collections, in the shape that `supabase gen types` has. What a caller may
 * not read or write they do not say: that depends on who calls.
 */
import type { Column } from './collection.ts';
import type { definitions } from './collections.ts';

type Columns = Record<string, Column>;

type Value<C> = C extends Column<infer T> ? (C extends { nullable: false } ? T : T | null) : never;

/** What a new row must supply. */
type Supplied<C extends Columns> = {
  [Name in keyof C]: C[Name] extends { nullable: false }
    ? C[Name] extends { default: string }
      ? never
      : Name
    : never;
}[keyof C];

type Row<C extends Columns> = { [Name in keyof C]: Value<C[Name]> };
type Insert<C extends Columns> = Pick<Row<C>, Supplied<C>> & Partial<Omit<Row<C>, Supplied<C>>>;
type Flat<T> = { [Key in keyof T]: T[Key] };

interface Table<C extends Columns> {
  Row: Row<C>;
  Insert: Flat<Insert<C>>;
  Update: Partial<Row<C>>;
  Relationships: [];
}

/** An enumeration's type is the one kind of type that is in the schema `builder`. */
type EnumName<Type extends string> = Type extends `builder.${infer Name}` ? Name : never;

type Nothing = Record<never, never>;

type Definition = (typeof definitions)[number];
type ColumnsOf<D> = D extends { columns: infer C extends Columns } ? C[keyof C] : never;

export interface Database {
  /** The protocol's version, by which supabase-js knows what it may ask for (`maxAffected`). */
  __InternalSupabase: { PostgrestVersion: '14' };
  public: {
    Tables: {
      [C in Definition as C['name']]: Table<C['columns']>;
    };
    Views: Nothing;
    Functions: { next_quote_number: { Args: never; Returns: string } };
    Enums: {
      [C in ColumnsOf<Definition> as EnumName<C['type']['postgres']>]: NonNullable<Value<C>>;
    };
    CompositeTypes: Nothing;
  };
}
