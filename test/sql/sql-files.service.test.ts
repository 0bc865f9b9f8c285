/** Each thing of the database is made in one place of sql/, and nothing that sql/ does not make is left in it. */
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { sqlFolder } from './empty-database.ts';

const database = useDatabase();
const pattern =
  /^ *create (?:or replace )?(?:function (\S+?)\(|view (\S+)|policy (\S+) on|(?:constraint )?trigger (\S+))|(?<!\b(?:on|drop) )\bconstraint (\w+)/gm;

it('every function, view, policy, trigger and constraint of the database stands in one place of sql/', async () => {
  const folders = ['migrations/', 'code/'].map(part => new URL(part, sqlFolder));
  const files = folders.map(async folder => {
    const names = await readdir(folder);
    return Promise.all(names.map(name => readFile(new URL(name, folder), 'utf8')));
  });
  const texts = (await Promise.all(files)).flat(2).map(text => text.replaceAll(/--.*/g, ''));
  const made = texts.flatMap(text => [...text.matchAll(pattern)].map(found => found.slice(1).find(Boolean)));
  const dropped = texts.flatMap(text =>
    [...text.matchAll(/\bdrop constraint (\w+)/g)].map(found => found[1]),
  );
  const stored = await database.sql<{ name: string }[]>`
    select oid::regproc::text as name from pg_proc where pronamespace = 'builder'::regnamespace
    union all select oid::regclass::text from pg_class where relnamespace = 'builder'::regnamespace and relkind = 'v'
    union all select polname from pg_policy
    union all select tgname from pg_trigger where not tgisinternal
    union all select conname from pg_constraint
      where connamespace = 'builder'::regnamespace and contype not in ('n', 't') and conislocal
        and conrelid <> all ('{0, builder.migrations}'::regclass[])`;
  const names = stored.map(({ name }) => name);
  const countOf = (list: unknown[], name: unknown) => list.filter(each => each === name).length;
  expect(names.filter(name => countOf(made, name) < 1)).toEqual([]);
  expect(made.filter(name => countOf(names, name) < countOf(made, name) - countOf(dropped, name))).toEqual(
    [],
  );
});
