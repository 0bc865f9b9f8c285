/** Describes the schema `builder` of a database and its roles. schema.sql is the description after all migrations. */
import { readFile } from 'node:fs/promises';
import type { Sql, TransactionSql } from 'postgres';

const heading = `-- The schema after all migrations. \`npm run schema\` writes this file; edit the migrations instead.
-- Each object is followed by its indexes, triggers, policies and grants. Without a grant, only the owner has access, so
-- review every new grant. Statements about "this database" document it; do not run them.
`;

export async function describeSchema(sql: Sql | TransactionSql): Promise<string> {
  const query = await readFile(new URL('describe-schema.sql', import.meta.url), 'utf8');
  const statements = await sql.unsafe<{ text: string }[]>(query);
  return [heading, ...statements.map(({ text }) => `${text}\n`)].join('\n');
}
