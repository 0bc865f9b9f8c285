/** A copy of the checkout, for programs that write into theirs. */
import { cp, mkdir, symlink } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { root } from './readmes.ts';

/** What is installed, the history, and what programs have written here. */
const left = ['node_modules', '.git', '.local', '.wrangler', '.dev.vars', 'worker-configuration.d.ts'];

/** Copies all but that into a new directory; what is installed is linked. */
export async function copyCheckout(directory: string): Promise<void> {
  await mkdir(directory);
  await cp(root, directory, {
    recursive: true,
    filter: path => !left.includes(basename(path)) || relative(root, path).includes('/'),
  });
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
}
