/** Failure → error response and log fields. */
import type { Issue } from '../../../schema/issue.ts';
import { collectionFailures } from './collection-failures.ts';
import type { Failure, FailureRow, FailureRows, Unset } from './failure.ts';
import { type Names, nameUnset, reasonOf } from './reason-of.ts';
import { requestFailures } from './request-failures.ts';
import { serviceFailures } from './service-failures.ts';

interface RenderedFailure {
  status: number;
  headers: Record<string, string>;
  body: {
    code: string;
    message: string;
    details: string | null;
    hint: string | null;
    /** The invalid fields of the body, if any. */
    issues?: Issue[];
  };
}

/** Renders a failure. `isOnLoopback`: the request comes from this machine, so the response may name unset variables. */
export function renderFailure(failure: Failure, isOnLoopback = false): RenderedFailure {
  const unset = unsetOf(failure);
  const row = {
    ...(failureRows[failure.is] as (failure: Failure) => FailureRow)(failure),
    ...(unset && (unset.local || isOnLoopback) && adviseOnUnset(unset)),
  };
  return {
    status: row.status,
    headers: row.status === 503 ? { 'retry-after': '1', ...row.headers } : { ...row.headers },
    body: {
      code: row.code,
      message: row.message,
      details: row.details ?? null,
      hint: row.hint ?? null,
      ...(row.issues && { issues: row.issues }),
    },
  };
}

const unsetOf = (failure: Failure): Unset | undefined => ('unset' in failure ? failure.unset : undefined);

/** Returns the log fields of a failure: its code, and a reason without any value of the request, or name but `names`. */
export const loggedOf = (failure: Failure, names?: Names): { code: string; reason: string } => ({
  code: renderFailure(failure).body.code,
  reason: reasonOf(failure, names),
});

/**
 * The response to each failure. Codes, statuses and texts are PostgREST's where they exist
 * (https://docs.postgrest.org/en/stable/references/errors.html).
 */
const failureRows: FailureRows = { ...requestFailures, ...collectionFailures, ...serviceFailures };

/** Returns the details and the hint for a developer at this machine. */
const adviseOnUnset = (unset: Unset): { details: string; hint: string } => ({
  details: `These variables are ${nameUnset(unset)}.`,
  hint: '`npm start` sets them. For `npx wrangler dev` copy .dev.vars.example to .dev.vars and fill it in.',
});
