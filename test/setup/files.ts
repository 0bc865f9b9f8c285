import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The paths of all files in a folder, from the root of the repository, without what is installed. */
export function filesIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .filter(({ name }) => name !== 'node_modules')
    .flatMap(entry => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]));
}
