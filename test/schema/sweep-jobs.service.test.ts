/** The jobs of schema/sweep-jobs.ts agree with the database, the role of the sweep and the runbook. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { sweepJobs } from '../../schema/sweep-jobs.ts';
import { useDatabase } from '../setup/database.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const functions = sweepJobs
  .flatMap(({ function: name, alone }) => [
    `builder.${name}(integer)`,
    ...(alone
      ? [
          `builder.${name}(integer, uuid[])`,
          `builder.${alone.due}(integer, uuid[], boolean, uuid[])`,
          `builder.${alone.one}(uuid)`,
        ]
      : []),
  ])
  .sort();
/** As Postgres and the runbook write them. */
const normalized = (name: string): string => name.replaceAll(', ', ',').replaceAll(/\s+/g, '');

const database = useDatabase();

describe('the jobs of the sweep', () => {
  it('are all that builder_sweeper may execute', async () => {
    const rows = await database.sql<{ name: string }[]>`
      select oid::regprocedure::text as name from pg_proc
      where pronamespace = 'builder'::regnamespace and has_function_privilege('builder_sweeper', oid, 'execute')
      order by 1`;
    expect(rows.map(({ name }) => normalized(name)).sort()).toEqual(functions.map(normalized).sort());
  });

  it.each(
    sweepJobs,
  )('$function can be executed by builder_sweeper, and returns the number of rows it swept', async job => {
    const sweeper = postgres(database.sweeperUrl, { max: 1 });
    const rows = await sweeper`select builder.${sweeper(job.function)}(1) as swept`;
    await sweeper.end();
    expect([...rows]).toEqual([{ swept: 0 }]);
  });

  it('are all in the statement that pauses the sweep, wherever a README has it', () => {
    const folders = ['.', 'functions', 'schema', 'sql', 'test'].flatMap(folder =>
      readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map(path =>
        join(folder, path),
      ),
    );
    const readmes = folders
      .filter(path => path.endsWith('README.md'))
      .map(path => readFileSync(join(root, path), 'utf8'));
    const statements = readmes.flatMap(text => [
      ...text.matchAll(/revoke execute on function ([^;`]*?)\s+from builder_sweeper/g),
    ]);
    expect(statements).not.toEqual([]);
    for (const [, list = ''] of statements) {
      expect(
        list
          .split(/,\s+(?=builder)/)
          .map(normalized)
          .sort(),
      ).toEqual(functions.map(normalized).sort());
    }
  });
});
