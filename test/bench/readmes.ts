/** What the README files say of the results, so that they say what was measured last. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Results } from './bench.ts';
import { summaryOf, tableOf } from './readme-texts.ts';

/** The heading under which each README has them, up to the next heading. */
export const sections: Record<string, { heading: string; write: (results: Results) => string }> = {
  'README.md': { heading: '## Speed', write: summaryOf },
  'test/README.md': { heading: '### Beside PostgREST', write: tableOf },
};

/** Without PostgREST there is nothing to compare, and they stay as they are. */
export async function writeReadmes(results: Results): Promise<void> {
  if (!results.throughput?.every(({ ratios }) => ratios)) {
    return;
  }
  for (const [path, { heading, write }] of Object.entries(sections)) {
    const file = new URL(`../../${path}`, import.meta.url);
    const text = await readFile(file, 'utf8');
    await writeFile(file, replaceSection(text, heading, write(results)));
  }
}

/** A heading of the file, what stands under it, and the blank line before the next. */
const sectionOf = (heading: string): RegExp =>
  new RegExp(`(?<=^${heading}\n\n)[^]*?(?=\n\n#|\n*$(?![^]))`, 'm');

export const readSection = (text: string, heading: string): string | undefined =>
  sectionOf(heading).exec(text)?.[0];

export const replaceSection = (text: string, heading: string, content: string): string =>
  text.replace(sectionOf(heading), () => content);
