import type { Issue } from '../../schema/issue.ts';
import type { Failure } from './failure.ts';

/** The response to a failure. */
export interface FailureRow {
  status: number;
  code: string;
  message: string;
  details?: string | undefined;
  hint?: string | undefined;
  issues?: Issue[];
  headers?: Record<string, string>;
}

/** A row for every failure: the compiler reports a missing one. */
export type FailureRows = { [K in Failure['is']]: (failure: Extract<Failure, { is: K }>) => FailureRow };

/** Makes the row of a refusal: 401 for a caller who hasn't signed in, which asks for credentials; 403 for one who has. */
export const refusal = ({
  authenticated,
}: {
  authenticated: boolean;
}): Pick<FailureRow, 'status' | 'headers' | 'hint'> =>
  authenticated
    ? { status: 403 }
    : {
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        hint: 'Sign in: nobody is, without Authorization: Bearer <access token>.',
      };
