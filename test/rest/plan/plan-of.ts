import type { Caller } from '../../../functions/caller/caller.ts';
import type { Result } from '../../../functions/common/failure/result.ts';
import { type Plan, permit, planRequest } from '../../../functions/rest/plan/plan-request.ts';
import type { Method } from '../../../functions/rest/request/request.ts';
import type { Collection } from '../../../schema/collection.ts';
import { collections } from '../../../schema/collections.ts';
import { quotes } from '../../../schema/quotes.ts';
import { parseRequest } from '../request/parse.ts';

export const staff: Caller = { kind: 'staff', audience: 'staff' };
/** The id of whatever a test needs one of. */
export const id = 'a0000000-0000-4000-8000-000000000001';
/** A new quote, with all required columns. */
export const quote = {
  account_id: id,
  quote_number: 'QT-2026-00001',
  product_id: id,
  sport: 'golf',
  customization: {},
};

/** A request in a test. */
export interface TestRequest {
  as: Caller;
  of: Collection;
  method?: Method;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Parses and plans a request. */
export function planOf(given: TestRequest): Result<Plan> {
  const { as, of, method = 'GET', query = '', headers = {}, body = {} } = given;
  const header = (name: string) => headers[name] ?? null;
  const request = parseRequest({ method, query, header, body: JSON.stringify(body) });
  if (!request.ok) {
    return request;
  }
  const context = permit(request.value, { collection: of }, { caller: as, collections, maxRows: 1000 });
  return context.ok ? planRequest(request.value, context.value) : context;
}

/** Plans a request, by default a read of quotes by staff. */
export const planAsStaff = (request: Partial<TestRequest>): Result<Plan> =>
  planOf({ as: staff, of: quotes, ...request });

/** The plan of a request that must have one. */
export function planned(request: TestRequest): Plan {
  const plan = planOf(request);
  if (!plan.ok) {
    throw new Error(JSON.stringify(plan.failure));
  }
  return plan.value;
}
