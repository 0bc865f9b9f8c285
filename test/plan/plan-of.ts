import type { Caller } from '../../functions/caller/caller.ts';
import type { Result } from '../../functions/common/result.ts';
import { permit } from '../../functions/plan/permission.ts';
import type { Plan } from '../../functions/plan/plan.ts';
import { planRequest } from '../../functions/plan/plan-request.ts';
import type { ApiRequest, Method } from '../../functions/request/request.ts';
import type { Collection } from '../../schema/collection.ts';
import { parseRequest } from '../request/parse.ts';

/** A request in a test. */
export interface TestRequest {
  as: Caller;
  of: Collection;
  method?: Method;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** For a request with an Idempotency-Key. */
  fingerprint?: string;
}

/** Parses and plans a request. */
export function planOf({
  as,
  of,
  method = 'GET',
  query = '',
  headers = {},
  body = {},
  fingerprint,
}: TestRequest): Result<Plan> {
  const header = (name: string) => headers[name] ?? null;
  const request = parseRequest({
    method,
    query,
    header,
    body: JSON.stringify(body),
    ...(fingerprint !== undefined && { fingerprint }),
  });
  return request.ok ? planParsed(request.value, of, as) : request;
}

/** Plans a request that is parsed. */
export function planParsed(request: ApiRequest, collection: Collection, caller: Caller): Result<Plan> {
  const context = permit(request.method, { collection, caller, maxRows: 1000 });
  return context.ok ? planRequest(request, context.value) : context;
}
