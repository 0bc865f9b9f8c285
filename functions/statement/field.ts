/** Columns, JSON paths and casts: the expressions in conditions, outputs and orders. */
import { groupSteps } from '../plan/json-steps.ts';
import type { PlannedField } from '../plan/plan.ts';
import type { JsonStep } from '../request/request.ts';
import { arrayText } from './array-text.ts';
import { identifier, keyword, type Sql, sql } from './sql.ts';

/**
 * Returns `quotes."customization" #> '{"team","kit"}' ->> 0`. Consecutive keys are one operator. A path into a column of
 * another type than jsonb converts it first.
 */
export function fieldExpression(table: string, { column, type, path }: PlannedField): Sql {
  const name = identifier(table, column);
  if (path.length === 0) {
    return name;
  }
  const json = type.postgres === 'jsonb' ? name : sql`to_jsonb(${name})`;
  return groupSteps(path).reduce((expression, steps) => sql`${expression}${stepExpression(steps)}`, json);
}

function stepExpression(steps: JsonStep[]): Sql {
  const [{ arrow, operand } = { arrow: '->', operand: '' }] = steps.slice(-1);
  if (steps.length > 1) {
    const keys = sql`${arrayText(steps.map(step => String(step.operand)))}`;
    return sql` ${keyword(arrow === '->' ? '#>' : '#>>')} ${keys}`;
  }
  const key = typeof operand === 'number' ? sql`${String(operand)}::int` : sql`${operand}`;
  return sql` ${keyword(arrow)} ${key}`;
}

/** Casts an expression. `type` comes from the list in cast-types.ts, never from the request. */
export const castExpression = (expression: Sql, type: string | undefined): Sql =>
  type === undefined ? expression : sql`cast(${expression} as ${keyword(type)})`;
