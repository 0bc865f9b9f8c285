/** What the README files name exists: links, files, npm scripts. readme.service.test.ts runs their commands. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, root } from './setup/files.ts';
import { type Readme, readmes } from './setup/readmes.ts';

const headings = (text: string): string[] => [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);

/** As GitHub makes the anchor of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const linksOf = ({ prose }: Readme): string[] =>
  [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^https?:/.test(target));

function isBroken(readme: Readme, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? readme.path : join(readme.folder, path);
  if (!existsSync(join(root, target))) {
    return true;
  }
  return (
    anchor !== undefined &&
    !headings(readFileSync(join(root, target), 'utf8'))
      .map(anchorOf)
      .includes(anchor)
  );
}

const isPath = (text: string): boolean =>
  /^(?:[a-z][\w-]*\/)+$|^(?!\/)[\w./-]+\.(?:ts|sh|toml|json|sql|svg|txt|md)$/.test(text);

/** Files in backticks, and those that a block without a language lists in its first column. */
function namedFiles({ prose, blocks }: Readme): string[] {
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  const listed = blocks
    .filter(({ language }) => language === '')
    .flatMap(({ text }) => text.split('\n').flatMap(line => line.split(/ {2,}/)[0]?.split(' ') ?? []));
  return [...inline, ...listed].filter(isPath);
}

/** The files that a reader saves: an example, and what a program makes. */
const savedBy = ({ prose }: Readme): string[] =>
  [...prose.matchAll(/`npx tsx (\S+)`|\bmakes `(\S+)`/g)].map(([, example, made]) => example ?? made ?? '');

/** From the README's folder or the root; without a folder, anywhere below the README's. */
const exists = ({ folder }: Readme, path: string): boolean =>
  existsSync(join(root, folder, path)) ||
  existsSync(join(root, path)) ||
  (folder !== '.' && filesIn(folder).some(name => basename(name) === path));

describe.each(readmes.map(readme => [readme.path, readme] as const))('%s', (_, readme) => {
  it('has no broken link', () => {
    expect(linksOf(readme).filter(link => isBroken(readme, link))).toEqual([]);
  });

  it('names no file that is missing', () => {
    const saved = savedBy(readme);
    expect(namedFiles(readme).filter(path => !saved.includes(path) && !exists(readme, path))).toEqual([]);
  });

  it('names no npm script that is missing', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...readme.text.matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test))\b/g)];
    expect(named.map(([, run, other]) => run ?? other ?? '').filter(script => !(script in scripts))).toEqual(
      [],
    );
  });
});

it('the README files lead from the first to every other, link by link', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    const readme = readmes.find(readme => readme.path === path);
    const targets = readme ? linksOf(readme).map(link => join(readme.folder, link.split('#')[0] ?? '')) : [];
    for (const target of targets.filter(target => readmes.some(({ path }) => path === target))) {
      reached.add(target);
    }
  }
  expect([...reached].sort()).toEqual(readmes.map(({ path }) => path).sort());
});
