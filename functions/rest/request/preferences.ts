/**
 * The Prefer header (RFC 7240), as PostgREST reads it
 * (https://docs.postgrest.org/en/stable/references/api/preferences.html): the first of a repeated preference counts,
 * and an unknown one is ignored unless `handling=strict`.
 */

const known = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
} as const;

type Known = { [Name in keyof typeof known]?: (typeof known)[Name][number] };

export interface Preferences extends Known {
  timezone?: string;
  maxAffected?: number;
  /** Preferences that were not understood, as the client wrote them. */
  invalid: string[];
}

/** Whether a write responds with its rows. */
export const wantsRows = ({ preferences }: { preferences: Preferences }): boolean =>
  preferences.return === 'representation';

export function parsePreferences(header: string | null): Preferences {
  const preferences: Preferences & Record<string, unknown> = { invalid: [] };
  for (const written of header?.split(',') ?? []) {
    const preference = written.trim();
    if (preference === '') {
      continue;
    }
    const equals = preference.indexOf('=');
    const name = preference.slice(0, Math.max(0, equals));
    const value = preference.slice(equals + 1);
    if (name === 'timezone') {
      preferences.timezone ??= value;
    } else if (name === 'max-affected') {
      if (/^\d{1,15}$/.test(value)) {
        preferences.maxAffected ??= Number(value);
      }
    } else if (
      Object.hasOwn(known, name) &&
      (known[name as keyof Known] as readonly string[]).includes(value)
    ) {
      preferences[name] ??= value;
    } else {
      preferences.invalid.push(preference);
    }
  }
  return preferences;
}
