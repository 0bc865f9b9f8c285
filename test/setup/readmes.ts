/** The README files of the repository, and other pages that they link; what can be run or looked up in them. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesIn, root } from './files.ts';

export interface Block {
  /** The README's path. */
  readme: string;
  /** What stands behind the opening fence: `sh`, `ts`, or nothing. */
  language: string;
  text: string;
  /** The text of the `json` or `text` block that follows at once: what the block prints. */
  output?: string;
}

export interface Readme {
  /** From the root of the repository. */
  path: string;
  folder: string;
  text: string;
  blocks: Block[];
  /** Everything outside the blocks. */
  prose: string;
}

const fenced = /^```(\w*)\n([\s\S]*?)^```\n(?:```(?:json|text)\n([\s\S]*?)^```\n)?/gm;

function readReadme(path: string): Readme {
  const text = readFileSync(join(root, path), 'utf8');
  const blocks = [...text.matchAll(fenced)].map(([, language = '', text = '', output]) => ({
    readme: path,
    language,
    text,
    ...(output !== undefined && { output }),
  }));
  return { path, folder: dirname(path), text, blocks, prose: text.replace(fenced, '') };
}

export const readmes: readonly Readme[] = [
  'README.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  '.github/CHANGELOG.md',
  'functions/RECIPES.md',
  'functions/LIMITS.md',
  ...['functions', 'schema', 'sql', 'test'].flatMap(filesIn).filter(path => path.endsWith('README.md')),
].map(readReadme);

/** The blocks of a language, of one README or of all. */
export const blocksOf = (language: string, path?: string): Block[] =>
  readmes
    .filter(readme => path === undefined || readme.path === path)
    .flatMap(({ blocks }) => blocks)
    .filter(block => block.language === language);
