import type { Failure } from './failure.ts';
import type { RenderedIssue } from './issue.ts';

/** What a failure says, and how. */
export interface FailureRow {
  status: number;
  code: string;
  message: string;
  details?: string | undefined;
  hint?: string | undefined;
  issues?: RenderedIssue[];
  headers?: Record<string, string>;
}

/** A row for every failure: the compiler misses none. */
export type FailureRows = { [K in Failure['is']]: (failure: Extract<Failure, { is: K }>) => FailureRow };

/** A caller who hasn't signed in is asked to (401); one who has is refused (403). */
export const refusal = (authenticated: boolean): Pick<FailureRow, 'status' | 'headers'> =>
  authenticated ? { status: 403 } : { status: 401, headers: { 'www-authenticate': 'Bearer' } };
