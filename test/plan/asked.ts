import type { Caller } from '../../functions/caller.ts';
import type { Plan } from '../../functions/plan/plan.ts';
import { planRequest } from '../../functions/plan/plan-request.ts';
import type { IdempotencyKey, Method } from '../../functions/request/api-request.ts';
import { parseRequest } from '../../functions/request/parse-request.ts';
import type { Result } from '../../functions/result.ts';
import type { Collection } from '../../schema/collection.ts';

/** A request as a test asks it. */
export interface Asked {
  as: Caller;
  of: Collection;
  method?: Method;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
  idempotencyKey?: IdempotencyKey;
}

/** Parses and plans a request. */
export function planOf({
  as,
  of,
  method = 'GET',
  query = '',
  headers = {},
  body = {},
  idempotencyKey,
}: Asked): Result<Plan> {
  const header = (name: string) => headers[name] ?? null;
  const request = parseRequest({
    method,
    query,
    header,
    body: JSON.stringify(body),
    ...(idempotencyKey && { idempotencyKey }),
  });
  return request.ok ? planRequest(request.value, { collection: of, caller: as, maxRows: 1000 }) : request;
}
