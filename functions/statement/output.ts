/** The clauses for the columns of the response, and for their grouping, order and page. */
import type { Output, PlannedOrder } from '../plan/plan.ts';
import type { Range } from '../request/request.ts';
import { castExpression, fieldExpression } from './field.ts';
import { empty, identifier, join, keyword, type Sql, sql } from './sql.ts';

/** Returns the name of an output in the statement: `"c0"`, `"c1"`… */
export const positionalName = (index: number): Sql => identifier(`c${index}`);

/** Returns the value of an output in `page`. */
export const pageValue = (index: number): Sql => sql`page.${positionalName(index)}`;

export function outputExpression(table: string, { field, cast, aggregate, aggregateCast }: Output): Sql {
  const expression = field ? castExpression(fieldExpression(table, field), cast) : keyword('*');
  return aggregate ? castExpression(sql`${keyword(aggregate)}(${expression})`, aggregateCast) : expression;
}

/** Returns the outputs to group by, beside an aggregate: by position, which works for every expression. */
function groupPositions(outputs: Output[]): Sql[] {
  const positions = outputs.flatMap(({ aggregate }, index) => (aggregate ? [] : [sql`${index + 1}`]));
  return positions.length === outputs.length ? [] : positions;
}

export function groupByClause(outputs: Output[]): Sql {
  const positions = groupPositions(outputs);
  return positions.length === 0 ? empty : sql` group by ${join(positions)}`;
}

const directions = { asc: keyword(' asc'), desc: keyword(' desc') };
const nullPositions = { first: keyword(' nulls first'), last: keyword(' nulls last') };

/** Orders rows, and groups finally by their own values. An arbitrary order could reveal rows that the caller can't see. */
export function orderByClause(table: string, order: PlannedOrder[], outputs: Output[]): Sql {
  const terms = order.map(
    ({ field, direction, nulls }) =>
      sql`${fieldExpression(table, field)}${direction ? directions[direction] : empty}${nulls ? nullPositions[nulls] : empty}`,
  );
  const all = [...terms, ...groupPositions(outputs)];
  return all.length === 0 ? empty : sql` order by ${join(all)}`;
}

export const limitClause = ({ offset, limit }: Required<Range>): Sql =>
  sql` limit ${limit}${offset === 0 ? empty : sql` offset ${offset}`}`;
