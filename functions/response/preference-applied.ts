import type { Plan } from '../plan/plan.ts';
import type { Preferences } from '../request/preferences.ts';

/** Returns the header Preference-Applied: the preferences that this request's method takes, in PostgREST's order. */
export function preferenceApplied(plan: Plan): string {
  const { is, preferences } = plan;
  const isPut = is === 'insert' && plan.put;
  const { handling, maxAffected, timezone } = preferences;
  const applied: [name: keyof Preferences, applies: boolean][] = [
    ['resolution', is === 'insert' && !isPut],
    ['missing', (is === 'insert' && !isPut) || is === 'update'],
    ['return', is !== 'read'],
    ['count', true],
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
