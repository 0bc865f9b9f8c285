/** The statements of plans of one shape: they differ in the operands alone, which are values in the same places. */
import { memoizeBy } from '../common/memoize.ts';
import type { PlanShape, ReadPlan } from '../plan/plan.ts';
import { readStatement } from './read.ts';
import { type Sql, withValues } from './sql.ts';

/** Returns the statement of a read. */
export function knownStatement(plan: ReadPlan): Sql {
  const { shape, operands = [], maxBytes } = plan;
  const { statement, places } = shape ? templateOf(shape, maxBytes) : noTemplate;
  return statement === undefined
    ? readStatement(plan)
    : withValues(
        statement,
        statement.values.map((value, at) => operands[places[at] ?? -1] ?? value),
      );
}

interface Template {
  /** The statement with marks as its operands; undefined where it can't be made from one. */
  statement: Sql | undefined;
  /** Of each of its values, which operand it is, or -1. */
  places: number[];
}

const noTemplate: Template = { statement: undefined, places: [] };

/** There is none where an operand is only a part of a value, as it is in a statement whose rows are estimated. */
const templateOf = memoizeBy(
  ({ marked, marks }: PlanShape, maxBytes: number): Template => {
    const statement = readStatement({ ...marked, maxBytes });
    const places = statement.values.map(value => marks.indexOf(value));
    const others = statement.values.filter((_, at) => places[at] === -1);
    const areWhole = !others.some(value => marks.some(mark => value.includes(mark)));
    return areWhole && marks.every((_, operand) => places.includes(operand))
      ? { statement, places }
      : noTemplate;
  },
  maxBytes => String(maxBytes),
);
