/**
 * `npm run schema`, to run after adding a migration or changing a limit: applies all migrations to a temporary Postgres, writes
 * the resulting schema to schema.sql, adds the new migration to migrations/checksums.txt, and writes functions/LIMITS.md.
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
  // Under root, Postgres runs as another user, who must be able to enter.
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
    `Landed migrations must not change: ${changes.join(', ')}. Put the change into a new migration. If the migration was ` +
      'only applied on this machine, remove its line from sql/migrations/checksums.txt and run this again.',
  );
  process.exit(1);
}
console.log('sql/schema.sql, sql/migrations/checksums.txt and functions/LIMITS.md are up to date.');
