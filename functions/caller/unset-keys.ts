/** What to say of a refused request when the worker's own keys are not set. */
import type { Env } from '../common/env.ts';
import type { Failure } from '../failure/failure.ts';

/** The variables that say who asks, for every worker but the sweep's. Of those in an element one is enough. */
export const keyVariables = [['PUBLISHABLE_KEY'], ['SECRET_KEY'], ['JWT_SECRET', 'JWKS_URL']] as const;

/**
 * Explains a refusal by what is not set. Without any key no request can be admitted, so the fault is not the request's. With
 * some of them set the key or token is refused all the same: a deployment may do without the others. But their names are
 * added, as they may be the cause.
 */
export function explainRefusal(failure: Failure, env: Env): Failure {
  const isUnset = (name: keyof Env): boolean => !env[name];
  const unset = keyVariables.filter(names => names.every(isUnset));
  const explained = { variables: unset.map(names => names.join(' or ')), local: env.LOCAL === '1' };
  if (unset.length === keyVariables.length) {
    return { is: 'not set', unset: explained };
  }
  return failure.is === 'credentials refused' && unset.length > 0
    ? { ...failure, unset: explained }
    : failure;
}
