/**
 * `npm run rehearse-restore`: proves that a database can be restored, without changing it. It dumps the rows of
 * DATABASE_URL in one snapshot, migrates a scratch database on the same server, loads the rows into it, compares the two
 * and drops the scratch database. With RESTORED_DATABASE_URL it compares that copy instead, however it was restored.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { migrate } from '../../sql/migrate.ts';
import { checkCallers, checks } from '../../sql/rehearsal/callers.ts';
import { atOneMoment, type Contents, readContents } from '../../sql/rehearsal/contents.ts';
import { dump, load } from '../../sql/rehearsal/copy.ts';
import { compare, readPrivileges, readStructure } from '../../sql/rehearsal/definition.ts';
import { exitWith, Problem } from './problem.ts';
import { step } from './report.ts';

const connect = (url: string): Sql => postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });

async function rehearse(url: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'rehearsal-'));
  const source = connect(url);
  try {
    const contents = await step(
      'dump',
      () =>
        atOneMoment(source, async moment => {
          const contents = await readContents(moment);
          await dump(
            moment,
            contents.tables.map(({ name }) => name),
            directory,
          );
          return contents;
        }),
      ({ tables }) =>
        `${tables.length} tables, ${tables.reduce((sum, { rows }) => sum + Number(rows), 0)} rows`,
    );
    const name = `rehearsal_${randomBytes(6).toString('hex')}`;
    await step(
      'create',
      () => source`create database ${source(name)}`,
      () => `the scratch database ${name}`,
    );
    const scratch = connect(Object.assign(new URL(url), { pathname: name }).href);
    try {
      await step(
        'migrate',
        () => migrate(scratch),
        applied => `${applied.length} migrations`,
      );
      await compareDefinitions(source, scratch);
      await step(
        'load',
        () => load(scratch, contents, directory),
        () => `${contents.tables.length} tables`,
      );
      await step('contents', () => compareContents(contents, scratch), counts);
      await tryCallers(scratch);
    } finally {
      await scratch.end({ timeout: 5 });
      await step(
        'drop',
        () => source`drop database ${source(name)} with (force)`,
        () => name,
      );
    }
  } finally {
    await source.end({ timeout: 5 });
    await rm(directory, { recursive: true, force: true });
  }
}

/** Rows may differ, because the source may have changed since its backup, but no table may have lost all its rows. */
async function compareWith(url: string, restoredUrl: string): Promise<void> {
  const [source, restored] = [connect(url), connect(restoredUrl)];
  try {
    await compareDefinitions(source, restored);
    const contents = await step('source', () => atOneMoment(source, readContents), counts);
    const found = await step('restored', () => atOneMoment(restored, readContents), counts);
    const lost = contents.tables.filter(
      ({ name, rows }) =>
        rows !== '0' && (found.tables.find(table => table.name === name)?.rows ?? '0') === '0',
    );
    fail(
      'rows',
      lost.map(({ name, rows }) => `missing  all of ${name}, which has ${rows} rows`),
    );
    await tryCallers(restored);
  } finally {
    await Promise.all([source.end({ timeout: 5 }), restored.end({ timeout: 5 })]);
  }
}

async function compareDefinitions(source: Sql, restored: Sql): Promise<void> {
  for (const [name, read] of Object.entries({ structure: readStructure, privileges: readPrivileges })) {
    const lines = await step(
      name,
      async () => {
        const expected = await read(source);
        fail(name, compare(expected, await read(restored)));
        return expected;
      },
      ({ length }) => `${length} are the same`,
    );
    fail(name, lines.length === 0 ? ['missing  everything: has it been migrated?'] : []);
  }
}

async function compareContents(expected: Contents, restored: Sql): Promise<Contents> {
  const found = await atOneMoment(restored, readContents);
  const lines = ({ tables, sequences }: Contents): string[] => [
    ...tables.map(({ name, rows, checksum }) => `${name}: ${rows} rows, checksum ${checksum}`),
    ...sequences.map(({ name, last }) => `${name}: at ${last}`),
  ];
  fail('contents', compare(lines(expected), lines(found)));
  return found;
}

const counts = ({ tables }: Contents): string => tables.map(({ name, rows }) => `${name} ${rows}`).join(', ');

const tryCallers = (restored: Sql): Promise<void> =>
  step(
    'callers',
    async () =>
      fail(
        'callers',
        (await checkCallers(restored)).map(name => `wrong    ${name}`),
      ),
    () => `${Object.keys(checks).length} rules hold`,
  );

function fail(what: string, differences: string[]): void {
  if (differences.length > 0) {
    throw new Problem(
      `The restored database differs (${what}):\n${differences.map(line => `  ${line}`).join('\n')}`,
    );
  }
}

try {
  const { DATABASE_URL: url, RESTORED_DATABASE_URL: restored } = process.env;
  if (!url) {
    throw new Problem('DATABASE_URL is not set: it is the connection of the database owner.');
  }
  await (restored ? compareWith(url, restored) : rehearse(url));
  console.log('The restored database is correct.');
} catch (error) {
  exitWith(error instanceof postgres.PostgresError ? new Problem(`${error.code}: ${error.message}`) : error);
}
