/** The headers that say which rows were returned, and which preferences applied. */
import type { Preferences } from '../request/preferences.ts';

/** The plan that preferences apply to. */
interface Applied {
  is: 'read' | 'insert' | 'update' | 'delete' | 'call' | 'value';
  preferences: Preferences;
  put?: boolean;
}

/** Returns the header Preference-Applied: the preferences that this request's method takes, in PostgREST's order. */
export function preferenceApplied({ is, preferences, put: isPut = false }: Applied): string {
  const { handling, maxAffected, timezone } = preferences;
  const applied: [name: keyof Preferences, applies: boolean][] = [
    ['resolution', is === 'insert' && !isPut],
    ['missing', (is === 'insert' && !isPut) || is === 'update'],
    ['return', is !== 'read' && is !== 'value'],
    ['count', is !== 'value'],
    ['tx', true],
    ['handling', true],
  ];
  return [
    ...applied.flatMap(([name, applies]) =>
      applies && preferences[name] ? [`${name}=${preferences[name]}`] : [],
    ),
    ...(timezone === undefined ? [] : [`timezone=${timezone}`]),
    ...((is === 'update' || is === 'delete') && handling === 'strict' && maxAffected !== undefined
      ? [`max-affected=${maxAffected}`]
      : []),
  ].join(', ');
}

/** Writes a Content-Range, `0-9/100`; `*` means no rows, or a total that was not counted. */
export const contentRange = (offset: number, rows: number, total: number | undefined): string =>
  `${rows > 0 ? `${offset}-${offset + rows - 1}` : '*'}/${total ?? '*'}`;

/** Returns the total of a write for its Content-Range: the number of its rows, if the request counts. */
export const writtenTotal = (rows: number, { count }: Preferences): number | undefined =>
  count === 'exact' || count === 'estimated' ? rows : undefined;
