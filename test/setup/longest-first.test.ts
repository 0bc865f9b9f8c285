import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './files.ts';
import { longFiles } from './longest-first.ts';

it('the files that begin first are files of the tests', () => {
  expect(longFiles.filter(file => !existsSync(join(root, file)))).toEqual([]);
});
