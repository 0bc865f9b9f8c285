/** Explains a refusal when the worker's own keys are not set. */
import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';

/** The variables that identify callers, for every worker except the sweep's. An element lists alternatives. */
export const keyVariables = [['PUBLISHABLE_KEY'], ['SECRET_KEY'], ['JWT_SECRET', 'JWKS_URL']] as const;

/**
 * Adds unset variables to a refusal. When all are unset, no request can be admitted, so the service is at fault. When only
 * some are, the refusal stands, because they are optional; their names are added as a possible cause.
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
