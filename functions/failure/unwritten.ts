/** Why a change of a row by its key wrote none. Another account's row is like one that is gone: nobody learns that it exists. */
export type Unwritten = 'changed' | 'gone' | 'not yours';

/** Begin with the reason itself, by which programs tell them apart: supabase-js shows no headers. */
export const unwrittenHints: Record<Unwritten, string> = {
  changed:
    'changed: the row is there, but no longer as the request names it. Read it again, and send updated_at as the text that was read: toISOString() cuts its microseconds.',
  gone: 'gone: there is no row with this key, or none that this caller may see.',
  'not yours': 'not yours: this caller may read the row, but not write it.',
};
