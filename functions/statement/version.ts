/** The version of a row, which ETags contain and If-Match compares. */
import type { Collection } from '../../schema/collection.ts';
import type { Plan } from '../plan/plan.ts';
import { identifier, type Sql, sql } from './sql.ts';
import { returned } from './statement-row.ts';

/** Returns the id of the transaction that wrote the row. It changes with every write and needs no column of its own. */
const versionExpression = ({ name }: Collection): Sql => sql`${identifier(name, 'xmin')}::text`;

/** Returns the column `version`, when the response has an ETag. */
export const versionColumn = ({ collection, oneRow }: Plan): Sql[] =>
  oneRow ? [returned('version', versionExpression(collection))] : [];

/** Returns If-Match as a condition of the write itself, so that Postgres checks it again after waiting for a row lock. */
export const versionCondition = ({ collection, ifMatch }: Plan): Sql[] =>
  typeof ifMatch === 'object'
    ? [sql`${versionExpression(collection)} = any (${`{${ifMatch.join(',')}}`})`]
    : [];
