/** What an application imports: its types of rows, with `createClient<Database>()`, and of errors. */
export type { Database, Enums, Json, Tables, TablesInsert, TablesUpdate } from './database.types.ts';
export { type Issue, issuesOf } from './issue.ts';

/** A player of a roster, as applications store them in `customization.players`. The service does not check it. */
export type Player = {
  name: string;
  /** A text, since "00" and "0" are two players. */
  number: string;
  size: string;
};
