import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limitsPage } from '../../functions/local/limits-page.ts';
import { root } from '../setup/files.ts';

it('functions/LIMITS.md has the limits of the code', async () => {
  const written = await readFile(join(root, 'functions/LIMITS.md'), 'utf8');
  expect(written, 'Run npm run limits, which writes functions/LIMITS.md.').toBe(await limitsPage());
  const titles = [...written.matchAll(/^## Live updates: (.*)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(['sockets and messages', 'one socket', 'channels', 'bindings', 'changes']);
});
