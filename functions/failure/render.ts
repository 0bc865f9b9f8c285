/** Failure → error response and log fields. */
import type { Failure } from './failure.ts';
import type { RenderedIssue } from './issue.ts';
import type { FailureRow } from './row.ts';
import { failureRows } from './rows.ts';

export interface RenderedFailure {
  status: number;
  headers: Record<string, string>;
  body: {
    code: string;
    message: string;
    details: string | null;
    hint: string | null;
    /** The invalid fields of the body, if it has any. */
    issues?: RenderedIssue[];
  };
}

export function renderFailure(failure: Failure): RenderedFailure {
  const row = (failureRows[failure.is] as (failure: Failure) => FailureRow)(failure);
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

/** The log fields of a failure: its code, and the reason when the fault is the service's and not the request's. */
export function loggedOf(failure: Failure): { code: string; reason?: string } {
  const { code } = renderFailure(failure).body;
  return 'reason' in failure ? { code, reason: failure.reason } : { code };
}
