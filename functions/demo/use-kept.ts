/** What was typed and not sent yet. It lasts while its dialog is closed, through Back and Forward, and through a reload. */
import { useSyncExternalStore } from 'react';

/** The names of what lasts without a tab, and what other tabs see. */
export const lastingPrefix = 'draft ';

const values = new Map<string, unknown>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(): void {
  for (const listener of listeners) {
    listener();
  }
}

// Another tab has written.
addEventListener('storage', ({ key }) => {
  values.delete(key ?? '');
  announce();
});

const storageOf = (name: string): Storage => (name.startsWith(lastingPrefix) ? localStorage : sessionStorage);

/** Returns what is kept under a name; undefined for nothing. */
export function readKept<T>(name: string): T | undefined {
  if (!values.has(name)) {
    values.set(name, tryStorage(() => JSON.parse(storageOf(name).getItem(name) ?? 'null')) ?? undefined);
  }
  return values.get(name) as T | undefined;
}

/** Keeps a value under a name; undefined forgets it. */
export function keep(name: string, value: unknown): void {
  values.set(name, value);
  tryStorage(() =>
    value === undefined
      ? storageOf(name).removeItem(name)
      : storageOf(name).setItem(name, JSON.stringify(value)),
  );
  announce();
}

/** Returns what is kept under a name, or the initial value, and what keeps another one. */
export function useKept<T>(name: string, initial: T) {
  const value = useSyncExternalStore(subscribe, () => readKept<T>(name));
  return [value ?? initial, (next: T | undefined) => keep(name, next)] as const;
}

/** The storage may be full or forbidden: this tab still has what was typed. */
export function tryStorage<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
