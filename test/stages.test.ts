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
  .filter(path => path.endsWith('.ts'))
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

/** What a request goes through, in this order. What is in no stage is vocabulary that every stage shares. */
const stages: [name: string, pattern: RegExp][] = [
  ['request', /^functions\/request\//],
  ['plan', /^functions\/plan\//],
  ['statement', /^functions\/statement\//],
  ['execute', /^functions\/(execute\.ts|database\/)/],
  ['respond', /^functions\/(respond|next-link)\.ts/],
  ['openapi', /^functions\/openapi\//],
  [
    'around the stages',
    /^functions\/((trace|run-plan|health|sweep|next-quote-number|api-root|shared-answers|kept-answers)\.ts|reference\/)/,
  ],
  ['bundle', /^functions\/bundle\.ts/],
  ['entries', /^functions\/(all|quotes|graphics|notifications|reference|expiry)\.ts/],
  ['local', /^functions\/local\//],
];
const stageOf = (path: string) => stages.findIndex(([, pattern]) => pattern.test(path));

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

describe('the stages of a request', () => {
  it.each(stages)('%s has files', (_, pattern) => {
    expect(files.filter(({ path }) => pattern.test(path))).not.toEqual([]);
  });

  it.each(stages)('%s imports no later stage', (_, pattern) => {
    expect(
      violations(
        ({ path }) => pattern.test(path),
        ({ from }, { path }) => stageOf(from) > stageOf(path),
      ),
    ).toEqual([]);
  });

  it('leave their vocabulary alone: it uses nothing of a stage but the first, except for types', () => {
    expect(
      violations(
        ({ path }) => path.startsWith('functions/') && stageOf(path) < 0,
        ({ from, typesOnly }) => stageOf(from) > 0 && !typesOnly,
      ),
    ).toEqual([]);
  });

  it('before the database wait for nothing', () => {
    const pure = files.filter(({ path }) => /^functions\/(request|plan|statement|openapi)\//.test(path));
    expect(
      pure.filter(({ text }) => /\b(await|async|Promise|fetch\()/.test(text)).map(({ path }) => path),
    ).toEqual([]);
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
      files.filter(outside).filter(({ imports }) => imports.some(({ what }) => what === 'type { Sql }')),
    ).not.toEqual([]);
    expect(
      violations(
        outside,
        ({ from, what }) => from === 'functions/statement/sql.ts' && what !== 'type { Sql }',
      ),
    ).toEqual([]);
  });

  it('is made by one file: no other calls literal() in passing, or says that something is Sql', () => {
    const makers = files.filter(({ text }) =>
      /(?<![.\w])literal\((?!literal)|\bas (unknown as )?Sql\b/.test(text),
    );
    expect(makers.map(({ path }) => path)).toEqual(['functions/statement/sql.ts']);
  });
});
