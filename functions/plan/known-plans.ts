/**
 * The plans of shapes that came before. A plan of the same shape differs in the operands of its comparisons and in its caller
 * alone, and only those are checked anew.
 */
import { BoundedCache } from '../common/bounded-cache.ts';
import { limits } from '../common/limits.ts';
import { type OperatorName, rowOf } from '../request/operators.ts';
import type { Operation } from '../request/request.ts';
import type { Shape } from '../request/shape.ts';
import { checkValue } from './check-value.ts';
import type { PlannedCondition, PlanShape, ReadPlan } from './plan.ts';
import type { PlanContext } from './plan-base.ts';

const known = new BoundedCache<PlanShape>(limits.memoize.plans);

const keyOf = ({ collection, caller, maxRows }: PlanContext, { text }: Shape): string =>
  `${collection.name} ${caller.audience} ${maxRows}\0${text}`;

/** Returns the plan of a request whose shape came before; undefined also when an operand is invalid, which planning explains. */
export function findPlan(shape: Shape, context: PlanContext): ReadPlan | undefined {
  const found = known.get(keyOf(context, shape))?.value;
  return found && withOperands(found, shape, context);
}

function withOperands(shape: PlanShape, { operands }: Shape, { caller }: PlanContext): ReadPlan | undefined {
  const { marked } = shape;
  const conditions = [...marked.conditions];
  const values: string[] = [];
  for (const { value, condition } of operands) {
    const replaced = replaceOperand(conditions[condition], value);
    if (replaced === undefined || value.includes('\0') || checkValue(replaced.field, replaced.operation)) {
      return undefined;
    }
    conditions[condition] = replaced;
    values.push(value);
  }
  return { ...marked, caller, conditions, shape, operands: values };
}

type Filter = Extract<PlannedCondition, { is: 'filter' }>;

/** Returns a comparison with another operand, or undefined for any other condition. */
const replaceOperand = (condition: PlannedCondition | undefined, value: string): Filter | undefined =>
  condition?.is === 'filter' && isComparison(condition.operation)
    ? { ...condition, operation: { ...condition.operation, value } }
    : undefined;

type Comparison = Extract<Operation, { operator: OperatorName }>;

const isComparison = (operation: Operation): operation is Comparison =>
  rowOf(operation.operator) !== undefined;

/** Keeps the plan of a request for the next one of its shape. */
export function rememberPlan(shape: Shape, context: PlanContext, plan: ReadPlan): void {
  known.add(keyOf(context, shape), () => markedPlan(plan, shape));
}

/**
 * Returns the plan with its operands marked, and without the claims of its caller. The marks are random, so that no value of a
 * request is equal to one.
 */
function markedPlan(plan: ReadPlan, { operands }: Shape): PlanShape {
  const random = crypto.randomUUID();
  const marks = operands.map((_, index) => `${random} ${index}`);
  const conditions = [...plan.conditions];
  for (const [index, { condition }] of operands.entries()) {
    const marked = replaceOperand(conditions[condition], marks[index] ?? '');
    if (marked === undefined) {
      throw new TypeError('An operand belongs to a comparison');
    }
    conditions[condition] = marked;
  }
  const { kind, audience } = plan.caller;
  return { marked: { ...plan, caller: { kind, audience }, conditions }, marks };
}
