/** Everything that can fail a request, as one union. rows.ts has a row for each, by which render.ts renders it. */

import type { BodyIssue, ForbiddenField } from './issue.ts';
import type { OtherService } from './other-services.ts';
import type { ParseError } from './parse-error.ts';
import type { Unset } from './unset.ts';
import type { Unwritten } from './unwritten.ts';

export type Failure =
  | { is: 'unparsable'; error: ParseError }
  | { is: 'too complex'; what: string; limit: number; hint?: string }
  | { is: 'invalid value'; sqlstate: string; message: string; hint?: string }
  | { is: 'invalid body'; message: string; details?: string; hint?: string }
  | { is: 'invalid fields'; issues: BodyIssue[]; hint?: string }
  | { is: 'invalid range'; details: string; headers?: Record<string, string> }
  | { is: 'unacceptable schema'; schema: string; exposed: readonly string[] }
  | { is: 'unacceptable media type'; mediaTypes: string[] }
  | { is: 'nul character' }
  | { is: 'not embedded'; name: string }
  | { is: 'unusable name'; name: string }
  | { is: 'put filters' }
  | { is: 'put range' }
  | { is: 'put key mismatch' }
  | { is: 'not singular'; rows: string; why?: Unwritten }
  | { is: 'unsupported method'; method: string; allow: string }
  | { is: 'unknown path' }
  | { is: 'other service'; service: OtherService }
  | { is: 'not own request' }
  | { is: 'unknown collection'; name: string; known: readonly string[]; nearest: string[] }
  | { is: 'unknown function'; name: string; known: readonly string[]; nearest: string[] }
  | { is: 'function arguments'; name: string; takes: string }
  | { is: 'function method'; method: string; allow: string }
  | { is: 'forbidden function'; name: string; authenticated?: true }
  | { is: 'invalid preferences'; preferences: string[] }
  | { is: 'max affected'; rows: string }
  | { is: 'rows missing'; found: string }
  | { is: 'row not found'; collection: string }
  | { is: 'deleted row' }
  | { is: 'taken key' }
  | { is: 'precondition failed'; why?: Unwritten }
  | { is: 'unusable header'; header: string; details: string }
  | { is: 'embedding'; collection: string; name: string }
  | { is: 'unknown column'; collection: string; column: string; nearest: string[] }
  | { is: 'unknown body column'; collection: string; column: string; nearest: string[] }
  | { is: 'unknown type'; name: string; known: readonly string[] }
  | { is: 'unknown configuration'; name: string }
  | { is: 'forbidden table'; collection: string; authenticated: boolean }
  | { is: 'unreadable column'; collection: string; column: string; authenticated: boolean }
  | {
      is: 'forbidden fields';
      collection: string;
      fields: ForbiddenField[];
      action: string;
      authenticated: boolean;
      hint?: string;
    }
  | { is: 'unfiltered'; verb: 'UPDATE' | 'DELETE' }
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
  | { is: 'url too long' }
  | { is: 'header too long' }
  | { is: 'encoded body'; encoding: string }
  | { is: 'body too large' }
  | { is: 'body too slow' }
  | { is: 'response too large'; limit: string }
  | {
      is: 'database';
      sqlstate: string;
      message: string;
      details?: string;
      hint?: string;
      authenticated: boolean;
      /** Fields of Postgres's error: by these a failure is known, and never by its message. */
      constraint?: string;
      column?: string;
      issues?: BodyIssue[];
      forbidden?: { fields: ForbiddenField[]; action: string };
    }
  | { is: 'database unavailable'; reason: string }
  | { is: 'read replica' }
  | { is: 'too many at once' }
  | { is: 'overloaded'; reason: string }
  | { is: 'not set'; unset: Unset }
  | { is: 'misconfigured'; reason: string }
  | { is: 'crash' };
