/** Tests that drive a program besides Node have its tag, by which they are skipped where it is missing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesIn, root } from './files.ts';
import { programs } from './programs.ts';

const sources = new Map(
  filesIn('test')
    .filter(path => /\.tsx?$/.test(path))
    .map(path => [path, readFileSync(join(root, path), 'utf8')]),
);

/** What stands between `import` and the path, which is `type …` where only types are imported, and the path. */
const imports = /^(?:import|export) (?!type\b)(?:[^;']*? from )?'(\.[^']*)'/gm;

/** Returns the file and all files of the tests that it imports, directly or not. */
function closureOf(path: string, found = new Set<string>()): Set<string> {
  const source = sources.get(path);
  if (source !== undefined && !found.has(path)) {
    found.add(path);
    for (const [, imported = ''] of source.matchAll(imports)) {
      closureOf(join(path, '..', imported), found);
    }
  }
  return found;
}

it.each(Object.entries(programs))('every test file that drives %s has its tag', (tag, { names }) => {
  const commands = names.filter(name => !name.startsWith('/')).join('|');
  const drives = new RegExp(
    `pathOf\\('${tag}'\\)|\\b(?:startCommand|spawn|execFile|execute)\\(\\s*'(?:${commands})'`,
  );
  const moduleTag = new RegExp(`@module-tag ${tag}\\b`);
  const tagOfTests = new RegExp(`tags: \\[[^\\]]*'${tag}'`);
  const untagged = [...sources.keys()]
    .filter(path => path.endsWith('.test.ts'))
    .filter(path => {
      const texts = [...closureOf(path)].map(file => sources.get(file) ?? '');
      const hasTag = moduleTag.test(sources.get(path) ?? '') || texts.some(text => tagOfTests.test(text));
      return texts.some(text => drives.test(text)) && !hasTag;
    });
  expect(untagged, `add \`@module-tag ${tag}\` to the first comment, or { tags: ['${tag}'] }`).toEqual([]);
});
