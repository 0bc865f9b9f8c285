/** The hint for a filter without an operator: `status=draft` for `status=eq.draft`. */
import { limits } from '../common/limits.ts';
import { operatorNames } from './operators.ts';

/** Suggests the operator that was meant. `name` is what stands before the `=`, `value` what stands behind it. */
export function suggestOperator(name: string, value: string): string {
  // A value that begins like an operator was meant as one: `equals.draft`, `like(some).{a,b}`; so was a list, `(1,2)`.
  if (/^[a-z_]*[.(]/i.test(value)) {
    return `The operators are ${operatorNames.join(', ')}; before one, not. negates it.`;
  }
  const filter = `${name}=eq.${value}`;
  const example = filter.length > limits.query.scalar ? '<column>=eq.<value>' : filter;
  return `Perhaps you meant "${example}". All parameters are filters but select, order, limit, offset, columns, on_conflict, and, or.`;
}
