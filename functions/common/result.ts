import type { Failure } from '../failure/failure.ts';

/** What a stage hands on: the value for the next one, or the failure that ends the request. */
export type Result<T, F = Failure> = { ok: true; value: T } | { ok: false; failure: F };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

export const fail = <F>(failure: F): { ok: false; failure: F } => ({ ok: false, failure });
