/** Calls back after changes in some folders: once for changes in quick succession, and one call at a time. */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds without a change before the callback, since an editor or a checkout makes several. */
const debounce = 150;

/** Calls `reload`, which must not reject, after changes. Returns a function that stops watching. */
export function onChange(folders: string[], reload: () => Promise<void>): () => void {
  // One watcher per folder, because Node's recursive one loses a file that an editor replaces (Linux, Node 20).
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let reloading = Promise.resolve();

  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      watchNewFolders();
      reloading = reloading.then(reload);
    }, debounce);
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
