/** What was typed and not saved yet. It lasts through a reload and without a network. */
import type { Design } from '../jersey/design.ts';

export interface Draft {
  design: Design;
  contact: Record<string, string>;
  /** The quote's `updated_at` when it was read: a save names it, so that a newer version isn't overwritten. */
  basedOn: string | null;
}

const keyOf = (id: string) => `draft ${id}`;

/** Returns the draft of a quote, or undefined when all is saved. What can't be read is not a draft. */
export function readDraft(id: string): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null');
    return Array.isArray(draft?.design?.players) ? draft : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(id: string, draft: Draft): void {
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(draft));
  } catch {
    // The storage is full or forbidden: the page still has what was typed.
  }
}

export const forgetDraft = (id: string): void => localStorage.removeItem(keyOf(id));
