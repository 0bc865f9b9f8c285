import type { Failure } from './failure.ts';

/**
 * The result of a stage: the value for the next stage, or the failure that ends the request. A caller returns a failure as it
 * is. A chain such as `andThen` would nest, since most stages need the values of several earlier ones.
 */
export type Result<T, F = Failure> = { ok: true; value: T } | { ok: false; failure: F };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

/** Combines results: returns their values by name, or the first failure. */
export function combine<T extends Record<string, unknown>>(
  results: { [K in keyof T]: Result<T[K]> },
): Result<T> {
  const values: Record<string, unknown> = {};
  for (const [name, result] of Object.entries(results) as [string, Result<unknown>][]) {
    if (!result.ok) {
      return result;
    }
    values[name] = result.value;
  }
  return ok(values as T);
}

export const fail = <F>(failure: F): { ok: false; failure: F } => ({ ok: false, failure });
