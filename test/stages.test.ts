/** The layout of the code is its architecture: what may import what. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

interface SourceFile {
  path: string;
  text: string;
  imports: { what: string; from: string; typesOnly: boolean }[];
}

const files: SourceFile[] = ['functions', 'schema']
  .flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true }).map(name => join(folder, String(name))),
  )
  .filter(path => /\.(?:ts|mjs)$/.test(path))
  .map(path => {
    const text = readFileSync(join(root, path), 'utf8');
    const statements = text.matchAll(/^(?:import|export)\s+(?:([^'";]*?)\s+from\s+)?'([^']+)';/gms);
    const imports = [...statements].map(([, what = '', from = '']) => ({
      what,
      from: from.startsWith('.') ? relative(root, join(root, dirname(path), from)) : from,
      typesOnly: what.startsWith('type '),
    }));
    return { path, text, imports };
  });

/**
 * The folders of functions/ in the order in which they build on each other: each imports values of itself and of those
 * before it. What a request goes through is among them in its order.
 */
const folders = [
  'common',
  'failure',
  'token',
  'caller',
  'admission',

  'request',
  'plan',
  'statement',
  'database',
  'response',
  'log',
  'cache',
  'openapi',
  'live',
  'delivery',
  'routes',
  'reference',
  'app',
  // The workers.
  '',
  'local',
];
const folderOf = (path: string): string => /^functions\/([^/]+)\//.exec(path)?.[1] ?? '';

/** Circles of files that import each other, types included. A search in depth: an import of a file on the trail closes one. */
function findCircles(): string[][] {
  const imports = new Map(files.map(file => [file.path, file.imports.map(({ from }) => from)]));
  const circles: string[][] = [];
  const searched = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      circles.push([...trail.slice(start), path]);
    } else if (!searched.has(path)) {
      for (const from of imports.get(path) ?? []) {
        visit(from, [...trail, path]);
      }
      searched.add(path);
    }
  };
  for (const { path } of files) {
    visit(path, []);
  }
  return circles;
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

describe('the folders of functions/', () => {
  it('are those of the list, in the order in which they build on each other', () => {
    const inUse = readdirSync(join(root, 'functions'), { withFileTypes: true }).filter(entry =>
      entry.isDirectory(),
    );
    expect(inUse.map(({ name }) => name).sort()).toEqual(folders.filter(name => name !== '').sort());
  });

  it.each(
    folders.filter(
      name => !['', 'common', 'admission', 'live', 'delivery', 'routes', 'local'].includes(name),
    ),
  )('have a main file of the folder’s name: %s', folder => {
    expect(files.map(({ path }) => path)).toContain(`functions/${folder}/${folder}.ts`);
  });

  it.each(folders)('import nothing of a later one but types: %s', folder => {
    const own = ({ path }: SourceFile) => path.startsWith('functions/') && folderOf(path) === folder;
    expect(files.filter(own)).not.toEqual([]);
    const isLater = (path: string) =>
      path.startsWith('functions/') && folders.indexOf(folderOf(path)) > folders.indexOf(folder);
    expect(violations(own, ({ from, typesOnly }) => isLater(from) && !typesOnly)).toEqual([]);
  });

  it('have no circle of imports, types included', () => {
    expect(findCircles()).toEqual([]);
  });

  it('wait for nothing before the database, but for the body of a request', () => {
    const pure = files.filter(({ path }) => /^functions\/(request|plan|statement)\//.test(path));
    const waiting = pure.filter(({ text }) => /\b(await|async|Promise|fetch\()/.test(text));
    expect(waiting.map(({ path }) => path)).toEqual(['functions/request/read-body.ts']);
  });
});

describe('a Response', () => {
  it('is made in response/send.ts alone, but for the handshake of a WebSocket', () => {
    const makers = files.filter(
      ({ path, text }) => !path.startsWith('functions/local/') && text.includes('new Response('),
    );
    expect(makers.map(({ path }) => path)).toEqual([
      'functions/live/object.ts',
      'functions/response/send.ts',
    ]);
  });
});

describe('the schema', () => {
  it('imports nothing from functions', () => {
    expect(
      violations(
        ({ path }) => path.startsWith('schema/'),
        ({ from }) => from.startsWith('functions'),
      ),
    ).toEqual([]);
  });
});

describe('the database', () => {
  it('is reached from functions/database and functions/local alone', () => {
    const importers = files.filter(({ imports }) => imports.some(({ from }) => from === 'postgres'));
    expect(importers.length).toBeGreaterThan(0);
    expect(
      importers.filter(({ path }) => !/^functions\/(database|local)\//.test(path)).map(({ path }) => path),
    ).toEqual([]);
  });

  it('is reached by no worker through what runs on the developer’s machine', () => {
    expect(
      violations(
        ({ path }) => !path.startsWith('functions/local/'),
        ({ from }) => from.startsWith('functions/local/'),
      ),
    ).toEqual([]);
  });
});

describe('the text of a statement', () => {
  const outside = (file: SourceFile) => !file.path.startsWith('functions/statement/');

  it('is written in functions/statement alone: elsewhere Sql is only a type', () => {
    expect(
      files
        .filter(outside)
        .filter(({ imports }) => imports.some(({ what }) => /^type .*\b(?:Message|Sql)\b/.test(what))),
    ).not.toEqual([]);
    expect(
      violations(
        outside,
        ({ from, what }) => from === 'functions/statement/sql.ts' && !what.startsWith('type '),
      ),
    ).toEqual([]);
  });

  it('is made by one file: it keeps the class to itself, and no other says that something is Sql', () => {
    const makers = files.filter(({ text }) => /\bclass Sql\b|\bas (unknown as )?Sql\b/.test(text));
    expect(makers.map(({ path }) => path)).toEqual(['functions/statement/sql.ts']);
    expect(makers[0]?.text).toContain('\nclass Sql ');
  });
});
