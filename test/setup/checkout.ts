/** A copy of the checkout, for programs that write into theirs. */
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from './files.ts';

/** What is installed: the packages of the service and those of the tests. */
const installed = ['node_modules', 'test/node_modules'];
/** That, the history, and what programs have written here. */
const left = [...installed, '.git', '.local', '.wrangler', '.dev.vars', 'worker-configuration.d.ts'];

/** Copies all but that into a new directory; what is installed is linked. */
export async function copyCheckout(directory: string): Promise<void> {
  await mkdir(directory);
  await cp(root, directory, { recursive: true, filter: path => !left.includes(relative(root, path)) });
  for (const path of installed) {
    await symlink(join(root, path), join(directory, path));
  }
}
