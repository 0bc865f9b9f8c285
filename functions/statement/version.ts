/** The version of a row: what an ETag tells, and what If-Match compares. */
import type { Collection } from '../../schema/collection.ts';
import type { Plan } from '../plan/plan.ts';
import { identifier, type Sql, sql } from './sql.ts';
import { returned } from './statement-row.ts';

/** The transaction that wrote the row: it changes with every write, and no row needs a column for it. */
const versionExpression = ({ name }: Collection): Sql => sql`${identifier(name, 'xmin')}::text`;

/** `version`, where the answer tells it. */
export const versionColumn = ({ collection, oneRow }: Plan): Sql[] =>
  oneRow ? [returned('version', versionExpression(collection))] : [];

/** If-Match as a condition of the write itself, so that Postgres checks it again on a row it had to wait for. */
export const versionCondition = ({ collection, ifMatch }: Plan): Sql[] =>
  typeof ifMatch === 'object'
    ? [sql`${versionExpression(collection)} = any (${`{${ifMatch.join(',')}}`})`]
    : [];
