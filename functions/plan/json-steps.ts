import type { JsonStep } from '../request/request.ts';

/** In `#>` a key of digits would be an index as well. */
const isKey = ({ operand }: JsonStep): boolean => typeof operand === 'string' && !/^\s*[+-]?\d/.test(operand);

/**
 * The steps of a path, with those together that are keys: each group is one operator, which copies what it finds, and what
 * it finds may be all of a snapshot.
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
