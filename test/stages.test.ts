/** The layout of the code is its architecture: what may import what. That no files import each other in a circle is a rule of .biome.json. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { collections } from '../schema/collections.ts';
import { functions } from '../schema/functions.ts';
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

/** The wings of functions/, lowest first: each imports itself and those before it. The workers are at the top. */
const wings = [
  ...'common caller database rest live offer delivery sweep reference app'.split(' '),
  'the workers',
  ...'demo local operate'.split(' '),
];
const wingOf = (path: string): string =>
  /^functions\/([^/]+)\//.exec(path)?.[1] ?? (path.startsWith('functions/') ? 'the workers' : 'elsewhere');

/** The folders of rest/ in the order of a request; its files beside them call them. */
const stages = ['request', 'plan', 'statement', 'response', 'describe', 'files beside them'];
const stageOf = (path: string): string =>
  /^functions\/rest\/([^/]+)\//.exec(path)?.[1] ?? 'files beside them';

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

/** Lists the imports of a later part, types included. */
function importsUp(parts: readonly string[], partOf: (path: string) => string, folder: string): string[] {
  const isIn = ({ path }: { path: string }) => path.startsWith(folder);
  return violations(
    isIn,
    ({ from }, { path }) =>
      from.startsWith(folder) && parts.indexOf(partOf(from)) > parts.indexOf(partOf(path)),
  );
}

const partsInUse = (folder: string, partOf: (path: string) => string): string[] =>
  [...new Set(files.filter(({ path }) => path.startsWith(folder)).map(({ path }) => partOf(path)))].sort();

it('functions/ has the wings of the list, and each imports only those before it, types included', () => {
  expect(partsInUse('functions/', wingOf)).toEqual([...wings].sort());
  expect(importsUp(wings, wingOf, 'functions/')).toEqual([]);
});

it('rest/ has the stages of the list, and each imports only those before it, types included', () => {
  expect(partsInUse('functions/rest/', stageOf)).toEqual([...stages].sort());
  expect(importsUp(stages, stageOf, 'functions/rest/')).toEqual([]);
});

it('what plans, states and answers a read reaches no file of a write, types included', () => {
  const reached = new Set(['plan', 'statement', 'response'].map(stage => `functions/rest/${stage}/read.ts`));
  for (const path of reached) {
    files.find(file => file.path === path)?.imports.forEach(({ from }) => void reached.add(from));
  }
  expect(reached).toContain('functions/rest/statement/response-body.ts');
  expect([...reached].filter(path => /rest\/\w+\/(?:insert|update|delete|write)\.ts$/.test(path))).toEqual(
    [],
  );
});

it('no two wings have files of one name, but for statements.ts', () => {
  const names = files
    .filter(({ path }) => path.startsWith('functions/') && !path.startsWith('functions/demo/'))
    .map(({ path }) => ({ name: path.slice(path.lastIndexOf('/') + 1), wing: wingOf(path) }))
    .filter(({ name }) => name !== 'statements.ts');
  const twice = names.filter(({ name, wing }) => names.some(o => o.name === name && o.wing !== wing));
  expect(twice).toEqual([]);
});

it('a Response is made in response/send.ts only, but for the handshake of a WebSocket', () => {
  const makers = pathsWhere(({ text }) => text.includes('new Response('));
  expect(makers).toEqual(['functions/live/live-durable-object.ts', 'functions/rest/response/send.ts']);
});

it('the schema imports nothing from functions', () => {
  const ofSchema = ({ path }: SourceFile) => path.startsWith('schema/');
  expect(violations(ofSchema, ({ from }) => from.startsWith('functions'))).toEqual([]);
});

it('the engine and the failures import no collection, no function, and no list of them', () => {
  const ofEngine = ({ path }: SourceFile) => /^functions\/(?:rest|common\/failure)\//.test(path);
  const known = ['collections', 'functions', 'everyone', ...collections.map(({ name }) => name)];
  expect(violations(ofEngine, ({ from }) => known.some(name => from === `schema/${name}.ts`))).toEqual([]);
});

/** The words of HTTP, of SQL, of JSON Schema and of the log that are also names of columns. */
const words =
  `address body channel claims code description event kind link may name number reason source status tags
  type`.split(/\s+/);

it('the engine and the failures have no name of a collection, a function or a column outside comments', () => {
  const names = [...collections, ...functions].flatMap(one => [
    one.name,
    ...('columns' in one ? Object.keys(one.columns) : []),
  ]);
  // An id may also be a request's, and `id` a variable; a text or a property is a column. Texts may be in double quotes.
  const others = names.filter(name => name !== 'id' && !words.includes(name)).join('|');
  const isNamed = new RegExp(
    `\\b(?<!(?:double|its) )(?:${others})\\b|[\`'"]id['"]|\\bid(?:=|\\.(?:eq|in|asc|desc)\\b)|\\.id\\b(?! in)`,
  );
  const lines = files
    .filter(({ path }) => /^functions\/(?:rest|common\/failure)\//.test(path))
    .flatMap(({ path, text }) => withoutComments(text).map(line => `${path}: ${line.trim()}`));
  expect(lines.filter(line => isNamed.test(line.slice(line.indexOf(': '))))).toEqual([]);
});

it('the engine calls functions of the database only by a collection’s or a function’s name, or those of responses.sql and run_once', () => {
  const sql = readFileSync(join(root, 'sql/code/responses.sql'), 'utf8');
  const own = [...sql.matchAll(/^create or replace function builder\.(\w+)/gm)].map(([, name]) => name);
  const called = files
    .filter(({ path }) => path.startsWith('functions/rest/'))
    .flatMap(({ text }) => [
      ...withoutComments(text)
        .join('\n')
        .matchAll(/\bbuilder\.(\w+)\(/g),
    ]);
  const names = new Set(called.map(([, name]) => name));
  expect([...names].filter(name => !own.includes(name)).sort()).toEqual(['run_once']);
});

it('the engine and the failures name no audience outside comments', () => {
  const lines = files
    .filter(({ path }) => /^functions\/(?:rest|common\/failure)\//.test(path))
    .flatMap(({ text }) => withoutComments(text));
  expect(lines.filter(line => /\bstaff\b|\bcustomers?\b|audience [!=]==/.test(line))).toEqual([]);
});

/** Returns the lines of a file without its comments and imports. */
const withoutComments = (text: string): string[] =>
  text
    .replaceAll(/\/\*.*?\*\/|^import .*?;$/gms, '')
    .replaceAll(/(?<=^|\s)\/\/.*$/gm, '')
    .split('\n');

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

it('the text of a statement is made by database/sql.ts, and written in rest/statement/ and in statements.ts of a wing', () => {
  const outside = ({ path }: SourceFile) =>
    !/^functions\/(?:rest\/statement\/|[a-z]+\/statements\.ts$)/.test(path);
  const isSql = ({ from, typesOnly }: SourceFile['imports'][0]) =>
    from === 'functions/database/sql.ts' && !typesOnly;
  expect(violations(outside, isSql)).toEqual([]);
  expect(pathsWhere(({ text }) => /\bclass Sql\b|\bas (unknown as )?Sql\b/.test(text))).toEqual([
    'functions/database/sql.ts',
  ]);
  expect(files.find(({ path }) => path === 'functions/database/sql.ts')?.text).toContain('\nclass Sql ');
});
