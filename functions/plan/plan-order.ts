/** order= → columns to sort by. */
import type { Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller.ts';
import type { Failure } from '../failure.ts';
import type { OrderTerm } from '../request/api-request.ts';
import { fail, ok, type Result } from '../result.ts';
import type { PlannedOrder } from './plan.ts';
import { resolveField } from './resolve-field.ts';

export function planOrder(
  terms: OrderTerm[],
  collection: Collection,
  caller: Caller,
): Result<PlannedOrder[]> {
  const planned: PlannedOrder[] = [];
  for (const term of terms) {
    if (term.is === 'embedding') {
      return fail<Failure>({ is: 'not embedded', name: term.name });
    }
    const field = resolveField(term.field, collection, caller);
    if (!field.ok) {
      return field;
    }
    planned.push({
      field: field.value,
      ...(term.direction && { direction: term.direction }),
      ...(term.nulls && { nulls: term.nulls }),
    });
  }
  return ok(planned);
}
