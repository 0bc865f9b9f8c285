/**
 * Every failure of a request, as one union. The tables in collection-failures.ts, request-failures.ts and service-failures.ts hold the
 * response to each.
 */

import type { Issue } from '../../../schema/issue.ts';
import type { BodyIssue, ForbiddenField } from './issue.ts';
import type { OtherService } from './other-services.ts';
import type { ParseError } from './parse-error.ts';

export type Failure =
  | { is: 'unparsable'; parameter: string; error: ParseError }
  | { is: 'too complex'; what: string; limit: number; hint?: string }
  | { is: 'invalid value'; sqlstate: string; message: string; hint?: string; of?: string }
  | { is: 'invalid body'; message: string; details?: string; hint?: string }
  | { is: 'invalid fields'; issues: BodyIssue[]; hint?: string }
  | { is: 'invalid range'; details: string; headers?: Record<string, string> }
  | { is: 'unacceptable schema'; schema: string; exposed: readonly string[] }
  | { is: 'unacceptable media type'; mediaTypes: string[] }
  | { is: 'nul character'; name: string }
  | { is: 'not embedded'; name: string }
  | { is: 'unusable name'; name: string }
  | { is: 'put filters' }
  | { is: 'put range' }
  | { is: 'put key mismatch' }
  | { is: 'not singular'; rows: string; why?: Unwritten; version?: string | undefined }
  | { is: 'unsupported method'; method: string; allow: string }
  | { is: 'unknown path' }
  | { is: 'other service'; service: OtherService; functions: readonly string[] }
  | { is: 'not own request' }
  | { is: 'link ended' }
  | { is: 'link only reads' }
  | { is: 'changed meanwhile'; what: string; hint: string }
  | { is: 'closed meanwhile'; what: string; why: string; hint: string }
  | { is: 'unknown collection'; name: string; known: readonly string[]; nearest: string[] }
  | { is: 'unknown function'; name: string; known: readonly string[]; nearest: string[] }
  | { is: 'function arguments'; name: string; takes: string }
  | { is: 'function method'; method: string; allow: string }
  | { is: 'function turned off'; name: string; variable: string }
  | { is: 'forbidden function'; name: string; authenticated?: true }
  | { is: 'invalid preferences'; preferences: string[] }
  | { is: 'max affected'; rows: string }
  | { is: 'rows missing'; found: string }
  | { is: 'deleted row'; key: string; softDelete: string }
  | { is: 'taken key'; restorableBy?: readonly string[] }
  | { is: 'precondition failed'; why?: Unwritten; version?: string | undefined }
  | { is: 'unusable header'; header: string; details: string }
  | {
      is: 'unknown relation';
      collection: string;
      name: string;
      /** The hint that the request gave. */
      using?: string;
      known: string[];
      nearest: string[];
    }
  | { is: 'ambiguous relation'; collection: string; name: string; hints: string[] }
  | { is: 'embedded twice'; name: string }
  | { is: 'embedding in groups'; name: string; isOne: boolean }
  | { is: 'filter of embedding'; name: string; key: string }
  | { is: 'condition on related rows'; name: string; method: string; key: string }
  | { is: 'spread of many'; collection: string; name: string }
  | { is: 'order by many'; collection: string; name: string; key: string }
  | { is: 'unknown column'; collection: string; column: string; nearest: string[]; hint?: string }
  | { is: 'unknown body column'; collection: string; column: string; nearest: string[]; hint?: string }
  | { is: 'unknown type'; name: string; known: readonly string[] }
  | { is: 'unknown configuration'; name: string }
  | { is: 'forbidden table'; collection: string; authenticated: boolean; hint?: string }
  | { is: 'unreadable column'; collection: string; column: string; authenticated: boolean }
  | {
      is: 'forbidden fields';
      collection: string;
      fields: ForbiddenField[];
      action: string;
      authenticated: boolean;
      hint?: string;
    }
  | { is: 'unfiltered'; verb: 'UPDATE' | 'DELETE'; key: string }
  | { is: 'credentials missing'; what: string }
  | { is: 'credentials refused'; message: string; unset?: Unset }
  | { is: 'claims refused'; message: string }
  | { is: 'keys unavailable'; reason: string }
  | { is: 'secret in browser'; kind: string }
  | { is: 'read key'; refused: 'write' | 'live' }
  | { is: 'rate limited'; reason: string }
  | { is: 'no upgrade' }
  | { is: 'too many sockets'; of: string; limit: number }
  | { is: 'too many channels'; limit: number }
  | { is: 'invalid host' }
  | { is: 'url too long' }
  | { is: 'header too long' }
  | { is: 'encoded body'; encoding: string }
  | { is: 'spreadsheet body' }
  | { is: 'body too large'; limit?: number }
  | { is: 'body too slow' }
  | {
      is: 'response too large';
      /** Milliseconds of the statement until then. */
      after: number;
    }
  | { is: 'value too long'; field: string }
  | { is: 'too many rows' }
  | {
      is: 'database';
      sqlstate: string;
      message: string;
      details?: string;
      hint?: string;
      authenticated: boolean;
      /** Fields of Postgres's error. They identify the failure; its message never does. */
      constraint?: string;
      column?: string;
      /** The columns of the filters, one of which has the value that Postgres refused. Only for the log. */
      filtered?: string[];
      issues?: BodyIssue[];
      forbidden?: { fields: ForbiddenField[]; action: string; expected?: string };
    }
  | { is: 'database unavailable'; reason: string }
  | { is: 'read-only database'; reason: string }
  | { is: 'disk full'; reason: string }
  | { is: 'read replica' }
  | { is: 'too many at once' }
  | { is: 'overloaded'; reason: string }
  | { is: 'no live connection'; reason: string }
  | { is: 'not set'; unset: Unset }
  | { is: 'misconfigured'; reason: string }
  | { is: 'crash' };

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

/** A row for every failure. The compiler reports a missing one. */
export type FailureRows = { [K in Failure['is']]: (failure: Extract<Failure, { is: K }>) => FailureRow };

/** Returns 403 for a caller who is signed in; otherwise 401, which asks for credentials. */
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
        hint: 'Not signed in. Send Authorization: Bearer <access token>.',
      };

/** Variables that the deployment does not set, as the cause of a failure. */
export interface Unset {
  /** Their names. An element lists alternatives: `JWT_SECRET or JWKS_URL`. */
  variables: string[];
  /** Whether the worker runs on a developer's machine (`LOCAL=1`). */
  local: boolean;
}

/** Why a change of a row by its key wrote nothing. Another account's row counts as `gone`, so that its existence stays hidden. */
export type Unwritten = 'changed' | 'gone' | 'not yours';
