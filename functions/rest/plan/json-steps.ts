/** Groups the steps of a path into JSON for the operators of the statement. */
import type { JsonStep } from '../request/request.ts';

/** Whether a step is certainly a key. A key of digits is not: `#>` may treat it as an index. */
const isKey = ({ operand }: JsonStep): boolean => typeof operand === 'string' && !/^\s*[+-]?\d/.test(operand);

/**
 * Groups consecutive keys of a path, since each group becomes one Postgres operator. Every operator copies its result,
 * which may be a whole `customization`.
 */
export function groupSteps(path: JsonStep[]): JsonStep[][] {
  const groups: JsonStep[][] = [];
  for (const step of path) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before?.arrow === '->' && isKey(before) && isKey(step)) {
      group.push(step);
    } else {
      groups.push([step]);
    }
  }
  return groups;
}
