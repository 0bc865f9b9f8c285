/** The jobs of schema/sweep-jobs.ts agree with the database and the role of the sweep. */
import { describe, expect, it } from 'vitest';
import { sweepJobs } from '../../schema/sweep-jobs.ts';
import { useDatabase } from '../setup/database.ts';

const functions = sweepJobs.map(({ function: name, skipsFailed }) =>
  skipsFailed ? `${name}(integer, uuid[])` : `${name}(integer)`,
);
const database = useDatabase();

describe('the jobs of the sweep', () => {
  it('are all that builder_sweeper may execute', async () => {
    const rows = await database.sql<{ name: string }[]>`
      select oid::regprocedure::text as name from pg_proc
      where pronamespace = 'builder'::regnamespace and has_function_privilege('builder_sweeper', oid, 'execute')
      order by 1`;
    const names = [...functions, 'record_sweep()'].map(name => `builder.${name.replaceAll(', ', ',')}`);
    expect(rows.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it.each(sweepJobs)('$function finds what is due by an index', async job => {
    const readWhole = await database.sql.begin(async sql => {
      const scansOf = async (): Promise<string[]> => {
        const rows = await sql`
          select relname || ' ' || seq_scan as scans from pg_stat_xact_user_tables where schemaname = 'builder'`;
        return rows.map(({ scans }) => scans);
      };
      await sql`set local enable_seqscan = off`;
      const before = await scansOf();
      await sql`select builder.${sql(job.function)}(1)`;
      return (await scansOf()).filter(scans => !before.includes(scans));
    });
    expect(readWhole).toEqual([]);
  });
});
