/** Calls back after each change of the code; one call at a time, and changes that come together are one. */
import { watch } from 'node:fs';
import { join } from 'node:path';
import { root } from './settings.ts';

/** Milliseconds in which further changes, of an editor or a checkout, belong to the same reload. */
const quiet = 150;

/** Watches until the answered function is called. `reload` does not reject. */
export function onChange(reload: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let reloading = Promise.resolve();
  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      reloading = reloading.then(reload);
    }, quiet);
  }
  const watchers = ['functions', 'schema'].map(folder =>
    watch(join(root, folder), { recursive: true }, changed),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) {
      watcher.close();
    }
  };
}
