/** Responses outside a collection. What serves none takes no more of the stages than these. */
import { fail, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { crashLine } from '../log/crash-line.ts';
import { Trace } from '../log/log.ts';
import { respondOptions } from '../response/cors.ts';
import type { ResponseData } from '../response/response-data.ts';

/** What a preflight is told. */
export const methods = 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE';

/** Responds to a request outside a collection: to a preflight, or with the result. */
export async function finish(request: Request, result: Result<ResponseData>): Promise<Response> {
  const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
  return isPreflight ? respondOptions(request, methods) : new Trace(request).finish(result);
}

/** Responds to a bug: the log has its cause, and the client only learns that it happened. */
export function crash(request: Request, error: Error): Promise<Response> {
  console.error(crashLine(error));
  return finish(request, fail<Failure>({ is: 'crash' }));
}
