/** Checks the caller's permission for a method on a collection, before the rest of the request is parsed. */
import type { Privilege } from '../../schema/collection.ts';
import type { Failure } from '../failure/failure.ts';
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

/** The failure, unless the caller may use the method. */
export function findForbidden(method: Method, { collection, caller }: PlanContext): Failure | undefined {
  const isPermitted =
    method === 'DELETE'
      ? collection.deletableBy.includes(caller.audience)
      : permittedColumns(collection, caller, privileges[method]).length > 0;
  return isPermitted
    ? undefined
    : { is: 'forbidden table', collection: collection.name, authenticated: caller.kind !== 'anon' };
}
