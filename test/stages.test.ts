/** The layout of the code is its architecture: what may import what. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, root } from './setup/files.ts';

interface SourceFile {
  path: string;
  text: string;
  imports: { what: string; from: string; typesOnly: boolean }[];
}

const files: SourceFile[] = ['functions', 'schema', 'sql']
  .flatMap(filesIn)
  .filter(path => /\.(?:tsx?|mjs)$/.test(path))
  .map(path => {
    const text = readFileSync(join(root, path), 'utf8');
    const statements = text.matchAll(/^(?:import|export)\s+(?:([^'";]*?)\s+from\s+)?'([^']+)';/gms);
    const imports = [...statements].map(([, what = '', from = '']) => ({
      what,
      from: from.startsWith('.') ? join(dirname(path), from) : from,
      typesOnly: what.startsWith('type '),
    }));
    return { path, text, imports };
  });

/**
 * The folders of functions/ in the order in which they build on each other: each imports itself and those before it. What a
 * request goes through is among them in its order.
 */
const folders = [
  ...'common failure token caller admission request plan statement database response'.split(' '),
  ...'log endpoint cache openapi live delivery sweep routes reference app'.split(' '),
  // The workers.
  '',
  // What runs on other machines.
  ...'demo local operate'.split(' '),
];
const folderOf = (path: string): string => /^functions\/([^/]+)\//.exec(path)?.[1] ?? '';

/**
 * Returns the files in circles of imports, types included, and those between two circles: removes each file that imports no
 * remaining file or is imported by none, until nothing changes.
 */
function findCircles(): string[] {
  let left = files;
  for (let before = 0; before !== left.length; ) {
    before = left.length;
    const own = left.map(({ path }) => path);
    const imported = left.flatMap(({ imports }) => imports.map(({ from }) => from));
    left = left.filter(file => imported.includes(file.path) && file.imports.some(i => own.includes(i.from)));
  }
  return left.map(({ path }) => path);
}

/** Each import of these files that the rule forbids, as `file imports other`. */
function violations(
  of: (file: SourceFile) => boolean,
  forbidden: (i: SourceFile['imports'][0], file: SourceFile) => boolean,
) {
  return files
    .filter(of)
    .flatMap(file =>
      file.imports.filter(i => forbidden(i, file)).map(({ from }) => `${file.path} imports ${from}`),
    );
}

/** The paths of the workers' files that this is true of. */
const pathsWhere = (isSo: (file: SourceFile) => boolean): string[] =>
  files
    .filter(isSo)
    .map(({ path }) => path)
    .filter(path => !/^(?:functions\/(?:demo|local|operate)|sql)\//.test(path));

describe('the folders of functions/', () => {
  it('are those of the list, in the order in which they build on each other', () => {
    const inUse = new Set(
      files.filter(({ path }) => path.startsWith('functions/')).map(({ path }) => folderOf(path)),
    );
    expect([...inUse].sort()).toEqual([...folders].sort());
  });

  it('import nothing of a later folder, types included', () => {
    const placeOf = (path: string) => folders.indexOf(folderOf(path));
    const own = ({ path }: SourceFile) => path.startsWith('functions/');
    const isLater = (i: SourceFile['imports'][0], { path }: SourceFile) =>
      i.from.startsWith('functions/') && placeOf(i.from) > placeOf(path);
    expect(violations(own, isLater)).toEqual([]);
  });

  it('wait for nothing before the database, but for the body of a request', () => {
    const waiting = pathsWhere(
      ({ path, text }) =>
        /^functions\/(request|plan|statement)\//.test(path) && /\b(await|async|Promise|fetch\()/.test(text),
    );
    expect(waiting).toEqual(['functions/request/arrival.ts', 'functions/request/read-body.ts']);
  });
});

it('no files import each other in a circle, types included', () => {
  expect(findCircles()).toEqual([]);
});

it('a Response is made in response/send.ts only, but for the handshake of a WebSocket', () => {
  const makers = pathsWhere(({ text }) => text.includes('new Response('));
  expect(makers).toEqual(['functions/live/object.ts', 'functions/response/send.ts']);
});

it('the schema imports nothing from functions', () => {
  const ofSchema = ({ path }: SourceFile) => path.startsWith('schema/');
  expect(violations(ofSchema, ({ from }) => from.startsWith('functions'))).toEqual([]);
});

it('sql/ imports no program of a developer or an operator, and the workers import nothing of sql/', () => {
  const isIn =
    (folders: RegExp) =>
    ({ path }: { path: string }) =>
      folders.test(path);
  const programs = /^functions\/(?:demo|local|operate)\//;
  expect(violations(isIn(/^sql\//), ({ from }) => programs.test(from))).toEqual([]);
  const isOfWorkers = ({ path }: SourceFile) => path.startsWith('functions/') && !programs.test(path);
  expect(violations(isOfWorkers, ({ from }) => from.startsWith('sql/'))).toEqual([]);
});

it('the driver of the database is imported in one file of the workers', () => {
  const importers = pathsWhere(({ imports }) => imports.some(({ from }) => from === 'postgres'));
  expect(importers).toEqual(['functions/database/connection.ts']);
});

it('the text of a statement is made by one file, and written in functions/statement only', () => {
  const outside = ({ path }: SourceFile) => !path.startsWith('functions/statement/');
  const isSql = ({ from, typesOnly }: SourceFile['imports'][0]) =>
    from === 'functions/statement/sql.ts' && !typesOnly;
  expect(violations(outside, isSql)).toEqual([]);
  expect(pathsWhere(({ text }) => /\bclass Sql\b|\bas (unknown as )?Sql\b/.test(text))).toEqual([
    'functions/statement/sql.ts',
  ]);
  expect(files.find(({ path }) => path === 'functions/statement/sql.ts')?.text).toContain('\nclass Sql ');
});
