import { expect, it } from 'vitest';
import { groupSteps } from '../../functions/plan/json-steps.ts';
import { parseFilterKey } from '../../functions/request/field.ts';

/** The groups of a path, as `a,b|c`. */
function groups(path: string): string {
  const key = parseFilterKey(`customization${path}`);
  if (!key.ok || key.value.is !== 'field') throw new Error(path);
  return groupSteps(key.value.field.path)
    .map(steps => steps.map(({ operand }) => operand).join())
    .join('|');
}

it.each([
  ['->a', 'a'],
  ['->a->b', 'a,b'],
  ['->a->b->>c', 'a,b,c'],
  ['->a->>b->c', 'a,b|c'],
  ['->a->0->b', 'a|0|b'],
  ['->0->a->b', '0|a,b'],
  ['->a->b->-1', 'a,b|-1'],
  ['->a->"1b"->c', 'a|1b|c'],
  ['->a->"-1b"->c', 'a|-1b|c'],
  ['->a->"+1"->c', 'a|+1|c'],
  ['->a->" 1"->c', 'a| 1|c'],
  ['->a->b1->"c 2"', 'a,b1,c 2'],
])('the keys of %s, which no operator takes for an index, are one step each: %s', (path, expected) => {
  expect(groups(path)).toBe(expected);
});
