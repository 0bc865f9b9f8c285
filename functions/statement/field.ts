/** A column, a step into its JSON, a cast: the parts that conditions, outputs and orders are made of. */
import type { PlannedField } from '../plan/plan.ts';
import type { JsonStep } from '../request/api-request.ts';
import { identifier, keyword, type Sql, sql } from './sql.ts';

/** `quotes."customization" -> 'team' ->> 0`; a column that isn't JSON is turned into it for a path. */
export function fieldExpression(table: string, { column, type, path }: PlannedField): Sql {
  const name = identifier(table, column);
  if (path.length === 0) {
    return name;
  }
  const json = type.postgres === 'jsonb' ? name : sql`to_jsonb(${name})`;
  return path.reduce((expression, step) => sql`${expression}${stepExpression(step)}`, json);
}

function stepExpression({ arrow, operand }: JsonStep): Sql {
  const key = typeof operand === 'number' ? sql`${String(operand)}::int` : sql`${operand}`;
  return sql` ${keyword(arrow)} ${key}`;
}

/** The type is one of the plan's (cast-types.ts), never a text of the request. */
export const castExpression = (expression: Sql, type: string | undefined): Sql =>
  type === undefined ? expression : sql`cast(${expression} as ${keyword(type)})`;
