/**
 * `npm run schema`, after a migration or a limit has changed: writes schema.sql, the schema that all migrations make in an
 * embedded Postgres of its own, adds the new migration to migrations/checksums.txt, and writes functions/LIMITS.md.
 */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { limitsPage } from '../functions/local/limits-page.ts';
import { startPostgres } from '../functions/local/postgres.ts';
import { checksumsOfFiles, landedChecksums, landNew, rewritten } from './append-only.ts';
import { describeSchema } from './describe-schema.ts';
import { migrate } from './migrate.ts';

const password = 'not kept';

await writeFile(new URL('../functions/LIMITS.md', import.meta.url), await limitsPage());

const directory = await mkdtemp(join(tmpdir(), 'schema-'));
try {
  // When root runs this, Postgres runs as another user.
  await chmod(directory, 0o755);
  const server = await startPostgres({
    directory: join(directory, 'postgres'),
    password,
    settings: ['fsync=off'],
  });
  const sql = postgres(server.url('postgres'), { max: 1, onnotice: () => {} });
  try {
    await migrate(sql, password);
    await writeFile(new URL('schema.sql', import.meta.url), await describeSchema(sql));
  } finally {
    await sql.end();
    await server.stop();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
await landNew();
const changes = rewritten(await landedChecksums(), await checksumsOfFiles());
if (changes.length > 0) {
  console.error(
    `Of the migrations in sql/migrations/checksums.txt, ${changes.join(', ')}. Put the change into a new migration. Of one ` +
      'that was applied nowhere but on this machine, remove the line in that file and run this again.',
  );
  process.exit(1);
}
console.log('sql/schema.sql, sql/migrations/checksums.txt and functions/LIMITS.md are up to date.');
