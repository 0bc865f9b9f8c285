/** The schema `builder` of a database and its roles, to read: schema.sql is that of a database with all migrations. */
import { readFile } from 'node:fs/promises';
import type { Sql, TransactionSql } from 'postgres';

const heading = `-- The schema as the migrations make it. \`npm run schema\` writes this file; edit the migrations instead.
-- Each object stands with its indexes, triggers, policies and grants. What is granted to nobody is the owner's alone: so a
-- new line that grants something is to be reviewed. Statements about "this database" are to read, not to run.
`;

export async function describeSchema(sql: Sql | TransactionSql): Promise<string> {
  const query = await readFile(new URL('describe-schema.sql', import.meta.url), 'utf8');
  const statements = await sql.unsafe<{ text: string }[]>(query);
  return [heading, ...statements.map(({ text }) => `${text}\n`)].join('\n');
}
