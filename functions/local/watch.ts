/** Calls back after each change in some folders; one call at a time, and changes that come together are one. */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds in which further changes, of an editor or a checkout, belong to the same reload. */
const quiet = 150;

/** Watches until the answered function is called. `reload` does not reject. */
export function onChange(folders: string[], reload: () => Promise<void>): () => void {
  // A watcher for each folder: Node's recursive one loses a file that an editor replaces (Linux, Node 20).
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let reloading = Promise.resolve();

  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      watchNewFolders();
      reloading = reloading.then(reload);
    }, quiet);
  }
  function watchNewFolders(): void {
    for (const folder of withSubfolders(folders).filter(folder => !watchers.has(folder))) {
      const watcher = watch(folder, changed).on('error', () => watcher.close());
      watchers.set(
        folder,
        watcher.on('close', () => watchers.delete(folder)),
      );
    }
  }
  watchNewFolders();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) {
      watcher.close();
    }
  };
}

function withSubfolders(folders: string[]): string[] {
  const below = folders.flatMap(folder => readdirSync(folder, { recursive: true, withFileTypes: true }));
  const subfolders = below.filter(entry => entry.isDirectory());
  return [...folders, ...subfolders.map(({ parentPath, path, name }) => join(parentPath ?? path, name))];
}
