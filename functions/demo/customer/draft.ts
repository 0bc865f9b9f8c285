/** A design that was typed and not saved yet. It lasts without a network, and other tabs see it. */
import type { Design } from '../jersey/design.ts';
import { keep, lastingPrefix, readKept, tryStorage, useKept } from '../use-kept.ts';
import type { Details } from './details.ts';

export interface Draft {
  design: Design;
  details: Details;
  /** The quote's `updated_at` when it was read, which a save names; null of one that was never saved. */
  basedOn: string | null;
}

/** What is of an older page is not a draft. */
const check = (draft: Draft | undefined): Draft | undefined =>
  Array.isArray(draft?.design?.players) && draft.details ? draft : undefined;

/** Returns the draft of a quote; undefined when all is saved. */
export const readDraft = (id: string): Draft | undefined => check(readKept(lastingPrefix + id));

/** Returns the draft of a quote, as it is now. */
export const useDraft = (id: string): Draft | undefined =>
  check(useKept<Draft | undefined>(lastingPrefix + id, undefined)[0]);

export const keepDraft = (id: string, draft: Draft): void => keep(lastingPrefix + id, draft);

export const forgetDraft = (id: string): void => keep(lastingPrefix + id, undefined);

/** Returns the quotes that were begun on this device and never saved. */
export function listUnsaved(): { id: string; draft: Draft }[] {
  const names = tryStorage(() => Object.keys(localStorage)) ?? [];
  return names.flatMap(name => {
    const id = name.slice(lastingPrefix.length);
    const draft = name.startsWith(lastingPrefix) ? readDraft(id) : undefined;
    return draft && draft.basedOn === null ? [{ id, draft }] : [];
  });
}
