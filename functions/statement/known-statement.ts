/** The statements of plans of one shape: they differ in the operands alone, which are values in the same places. */
import { memoizeBy } from '../common/memoize.ts';
import type { PlanShape, ReadPlan } from '../plan/plan.ts';
import { readStatement } from './read.ts';
import { type Sql, withValues } from './sql.ts';

/** Returns the statement of a read. */
export function knownStatement(plan: ReadPlan): Sql {
  const { shape, operands = [], maxBytes } = plan;
  if (shape === undefined) {
    return readStatement(plan);
  }
  const { statement, places } = template(shape, maxBytes);
  const values = [...statement.values];
  for (const [at, operand] of places) {
    values[at] = operands[operand] ?? '';
  }
  return withValues(statement, values);
}

/** The statement with marks, and which operand belongs in which of its values. */
const template = memoizeBy(
  ({ marked, marks }: PlanShape, maxBytes: number) => {
    const statement = readStatement({ ...marked, maxBytes });
    const places = [...statement.values.entries()].flatMap(([at, value]): [number, number][] => {
      const operand = marks.indexOf(value);
      return operand < 0 ? [] : [[at, operand]];
    });
    return { statement, places };
  },
  maxBytes => String(maxBytes),
);
