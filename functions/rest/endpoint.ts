/** What serves a path, as data: its methods, who is admitted, and how it responds. serve.ts runs it. */
import type { Admit } from '../caller/admit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import type { Result } from '../common/failure/result.ts';
import type { execute, SendMessage } from '../database/execute.ts';
import type { ResponseData } from './response/response-data.ts';
import type { Sendable } from './response/send.ts';
import type { Trace } from './trace.ts';

/** A request whose caller was admitted. */
export interface Call {
  request: Request;
  env: Env;
  /** For work after the response is sent. */
  context: Pick<ExecutionContext, 'waitUntil'>;
  caller: Caller;
  /** Identifies the caller whose share of memory and connections the request uses. */
  callerKey: string;
  trace: Trace;
  /** Sends messages as the caller. `repeatable`: they may be sent twice. */
  send(repeatable: boolean): SendMessage;
}

/** What a worker hands to the engine. */
export interface Hooks {
  /** Sends a message to the database. */
  execute: typeof execute;
  /** Is called after a write. Returns what must end before the worker may; none of them rejects. */
  afterWrite(env: Env): Promise<void>[];
}

/** What a worker adds to the object that a function of the database returns. */
export interface Completion {
  /** Fails before the call if it can't be completed. */
  prepare(env: Env): Result<unknown>;
  complete(object: Readonly<Record<string, unknown>>, call: Call): Promise<object>;
}

export interface Endpoint {
  /** Its name in the log; by default, the path. */
  name?: string;
  /** The primary key of its rows, whose value in the filter the log has. */
  key?: string;
  /** The names of columns or arguments, which the log may have. */
  names?: readonly string[];
  /** Its methods, as `Allow` lists them. */
  methods: string;
  /** The failure for other methods. */
  otherMethod?: 'unsupported method' | 'function method';
  admit: Admit;
  /** Whether a successful request with this method may have written rows of collections that others wait for. */
  writes?(method: string): boolean;
  /** `false` for endpoints that programs poll. Only their failures are logged. */
  logged?: false;
  /** Responds to a failure in place of JSON, for a page. */
  refuse?(failure: Failure, request: Request): ResponseData;
  respond(call: Call): Promise<Result<Sendable>>;
}
