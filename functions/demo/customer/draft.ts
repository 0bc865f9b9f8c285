/**
 * What was typed and not saved yet. It lasts through a reload and without a network, and other tabs see it. Quotes without a
 * version were never saved.
 */
import { useSyncExternalStore } from 'react';
import type { Design } from '../jersey/design.ts';
import { tryStorage } from '../use-kept.ts';
import type { Details } from './details.ts';

export interface Draft {
  design: Design;
  details: Details;
  /** The quote's `updated_at` when it was read: a save names it, so that a newer version isn't overwritten. */
  basedOn: string | null;
}

const prefix = 'draft ';
const drafts = new Map<string, Draft | undefined>();
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
addEventListener('storage', () => {
  drafts.clear();
  announce();
});

/** Returns the draft of a quote; undefined when all is saved. */
export function readDraft(id: string): Draft | undefined {
  if (!drafts.has(id)) {
    drafts.set(id, load(id));
  }
  return drafts.get(id);
}

/** Returns the draft of a quote, as it is now. */
export const useDraft = (id: string): Draft | undefined =>
  useSyncExternalStore(subscribe, () => readDraft(id));

export function keepDraft(id: string, draft: Draft): void {
  drafts.set(id, draft);
  tryStorage(() => localStorage.setItem(prefix + id, JSON.stringify(draft)));
  announce();
}

export function forgetDraft(id: string): void {
  drafts.set(id, undefined);
  tryStorage(() => localStorage.removeItem(prefix + id));
  announce();
}

/** Returns the quotes that were begun on this device and never saved. */
export function listUnsaved(): { id: string; draft: Draft }[] {
  const keys = tryStorage(() => Object.keys(localStorage)) ?? [];
  return keys.flatMap(key => {
    const id = key.slice(prefix.length);
    const draft = key.startsWith(prefix) ? readDraft(id) : undefined;
    return draft && draft.basedOn === null ? [{ id, draft }] : [];
  });
}

/** What can't be read, or is of an older page, is not a draft. */
function load(id: string): Draft | undefined {
  const draft = tryStorage(() => JSON.parse(localStorage.getItem(prefix + id) ?? 'null'));
  return Array.isArray(draft?.design?.players) && draft.details ? draft : undefined;
}
