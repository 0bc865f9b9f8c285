import type { Plan } from '../plan/plan.ts';
import type { Preferences } from '../request/preferences.ts';

/** What preferences apply to: a plan, or a call of a function that returns a value. */
interface Applied {
  is: Plan['is'] | 'call';
  preferences: Preferences;
  put?: boolean;
}

/** Returns the header Preference-Applied: the preferences that this request's method takes, in PostgREST's order. */
export function preferenceApplied({ is, preferences, put: isPut = false }: Applied): string {
  const { handling, maxAffected, timezone } = preferences;
  const applied: [name: keyof Preferences, applies: boolean][] = [
    ['resolution', is === 'insert' && !isPut],
    ['missing', (is === 'insert' && !isPut) || is === 'update'],
    ['return', is !== 'read' && is !== 'call'],
    ['count', is !== 'call'],
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
