/** What a failure looks like on the wire and in the log. */
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
    /** What is wrong with which field, when the body's fields are what is wrong. */
    issues?: RenderedIssue[];
  };
}

/** What a failure looks like on the wire. */
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

/**
 * What the log says of a failure: its code, and why the service itself could not answer. A request's own faults have
 * their code alone.
 */
export function loggedOf(failure: Failure): { code: string; reason?: string } {
  const { code } = renderFailure(failure).body;
  return 'reason' in failure ? { code, reason: failure.reason } : { code };
}
