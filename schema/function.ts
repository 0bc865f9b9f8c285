/** A function at `POST /rest/v1/rpc/<name>`, as data. */
import type { Audience, Collection, Column } from './collection.ts';

type Columns = Readonly<Record<string, Column>>;

/** What a function returns: a value, an object of values, or a row, whose key the database's function returns. */
export type Returned = { value: Column } | { object: Columns } | { row: Collection };

export interface DatabaseFunction {
  name: string;
  /** The collection that it is about. The same worker serves it. */
  about: Collection;
  summary: string;
  meaning: string;
  /** Who may call it, as its grant says. */
  audiences: readonly Audience[];
  /** Its arguments. Those that are nullable or have a default may be omitted. */
  args: Columns;
  returns: Returned;
  /** A call that may have been executed is sent again when the connection is lost. */
  repeatable: boolean;
  /** It writes rows of collections that others wait for. */
  writes: boolean;
}

export const defineFunction = (definition: DatabaseFunction): DatabaseFunction => definition;
