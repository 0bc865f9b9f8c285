/**
 * The stages that all endpoints share: trace → preflight → method → admit → respond → after a write → log. An endpoint's own parts
 * are data.
 */
import type { Context } from 'hono';
import { isReadKey } from '../caller/caller.ts';
import { callerKey } from '../caller/caller-key.ts';
import { crashLine } from '../common/crash-line.ts';
import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import type { Message } from '../database/sql.ts';
import { marked } from '../database/statements.ts';
import type { Call, Endpoint, Hooks } from './endpoint.ts';
import { discardBody } from './request/read-body.ts';
import { isRead, methods } from './request/request.ts';
import { respondOptions, type Sendable } from './response/send.ts';
import { Trace } from './trace.ts';

/**
 * Makes the handler of an endpoint: what all endpoints share, in order. It is one function and no chain of Hono's middlewares,
 * since a failure is data until the last line.
 */
export const serve =
  (endpoint: Endpoint, hooks: Hooks) =>
  async ({ req, env, executionCtx }: Context<{ Bindings: Env }>): Promise<Response> => {
    const request = req.raw;
    const trace = new Trace(request, endpoint);
    if (request.method === 'OPTIONS' && endpoint.methods.startsWith('OPTIONS')) {
      return trace.send(respondOptions(request, endpoint.methods));
    }
    const call = await admitCall(endpoint, hooks, { request, env, context: executionCtx, trace });
    const result = call.ok ? await endpoint.respond(call.value) : call;
    if (result.ok && endpoint.writes?.(request.method)) {
      for (const following of hooks.afterWrite(env)) {
        executionCtx.waitUntil(following);
      }
    }
    await discardBody(request);
    return trace.finish(result, endpoint.logged);
  };

/** Checks the method, then the caller, then that a read key only reads. */
async function admitCall(
  { methods, otherMethod = 'unsupported method', admit }: Endpoint,
  { execute }: Hooks,
  received: Omit<Call, 'caller' | 'callerKey' | 'send'>,
): Promise<Result<Call>> {
  const { request, env, trace } = received;
  const { method, headers } = request;
  if (!methods.split(',').includes(method)) {
    return fail<Failure>({ is: otherMethod, method, allow: methods });
  }
  const caller = await admit(request, env, trace);
  if (!caller.ok) {
    return caller;
  }
  if (!isRead(method) && isReadKey(headers.get('apikey') ?? '', env)) {
    return fail<Failure>({ is: 'read key', refused: 'write' });
  }
  const sender = { caller: caller.value, callerKey: callerKey(headers, caller.value) };
  const send = (repeatable: boolean) => (message: Message) =>
    trace.database(() => execute(marked(message, trace), env, { login: 'api', ...sender, repeatable }));
  return ok({ ...received, ...sender, send });
}

/** The methods of a collection. A preflight for an unknown path lists them too. */
export const collectionMethods = `OPTIONS,${methods.join()}`;

/** Responds with a result from outside an endpoint. Preflights succeed even for unknown paths. */
export async function finish(request: Request, result: Result<Sendable>): Promise<Response> {
  const trace = new Trace(request);
  if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method')) {
    return trace.send(respondOptions(request, collectionMethods));
  }
  await discardBody(request);
  return trace.finish(result);
}

/** Responds to a bug. The cause is logged and not revealed to the client. */
export function crash(request: Request, error: Error): Promise<Response> {
  console.error(crashLine(error));
  return finish(request, fail<Failure>({ is: 'crash' }));
}
