/** Says which columns of a change its caller may not write, of those that it may send as they are. */
import type { Failure } from '../failure/failure.ts';
import type { Plan } from '../plan/plan.ts';
import { forbiddenFields } from '../plan/resolve-field.ts';

/** Returns the fields that differ from the row, of a change that failed for them; any other failure unchanged. */
export function withChangedColumns(failure: Failure, plan: Plan): Failure {
  if (failure.is !== 'database' || failure.sqlstate !== 'PG403' || plan.is !== 'update') {
    return failure;
  }
  const { collection, caller, body } = plan;
  const bits = BigInt(failure.message);
  const columns = body.unchanged.filter((_, place) => (bits >> BigInt(place)) & 1n);
  const rows = body.isArray ? JSON.parse(body.json) : [];
  return {
    ...forbiddenFields(collection, caller, { rows, isArray: body.isArray }, columns, 'update'),
    hint: 'A field may be sent with the value that its row has: read the row again, or leave the field out.',
  };
}
