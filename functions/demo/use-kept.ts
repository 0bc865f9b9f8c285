/** What was typed and not sent yet. It lasts while its dialog is closed, through Back and Forward, and through a reload. */
import { useState } from 'react';

const prefix = 'typed ';
const values = new Map<string, unknown>();

function read(name: string): unknown {
  if (!values.has(name)) {
    values.set(
      name,
      tryStorage(() => JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null')),
    );
  }
  return values.get(name) ?? undefined;
}

/** Returns what is kept under a name, or the initial value, and what keeps another one; undefined forgets it. */
export function useKept<T>(name: string, initial: T) {
  const [value, setValue] = useState(() => (read(name) as T | undefined) ?? initial);
  function keep(next: T | undefined): void {
    setValue(next ?? initial);
    values.set(name, next);
    tryStorage(() =>
      next === undefined
        ? sessionStorage.removeItem(prefix + name)
        : sessionStorage.setItem(prefix + name, JSON.stringify(next)),
    );
  }
  return [value, keep] as const;
}

/** The storage may be full or forbidden: this tab still has what was typed. */
export function tryStorage<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
