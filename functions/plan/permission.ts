/** Checks the caller's permission for a method on a collection, before the rest of the request is parsed. */
import type { Privilege } from '../../schema/collection.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Method } from '../request/request.ts';
import type { PlanContext } from './plan-base.ts';
import { permittedColumns } from './resolve-field.ts';

const privileges: Record<Exclude<Method, 'DELETE'>, Privilege> = {
  GET: 'select',
  HEAD: 'select',
  POST: 'insert',
  PUT: 'insert',
  PATCH: 'update',
};

/** A context whose caller may use the method. */
export interface PermittedContext extends PlanContext {
  permitted: Method;
}

/** Returns the context of a permitted request, or the failure of one that is not. */
export function permit(method: Method, context: PlanContext): Result<PermittedContext> {
  const { collection, caller } = context;
  const isPermitted =
    method === 'DELETE'
      ? collection.deletableBy.includes(caller.audience)
      : permittedColumns(collection, caller, privileges[method]).length > 0;
  return isPermitted
    ? ok({ ...context, permitted: method })
    : fail({ is: 'forbidden table', collection: collection.name, authenticated: caller.kind !== 'anon' });
}
