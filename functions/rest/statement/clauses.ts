/** The clauses of a statement: columns, tables, groups, order, page and conditions. */
import type { Audience, Collection } from '../../../schema/collection.ts';
import { postgresType } from '../../../schema/postgres-types.ts';
import { arrayText, empty, identifier, join, keyword, type Sql, sql } from '../../database/sql.ts';
import { groupSteps } from '../plan/json-steps.ts';
import type { Output, PlannedCondition, PlannedField, PlannedOrder } from '../plan/plan.ts';
import { operators, type TextSearchOperatorName, textSearchOperators } from '../request/operators.ts';
import type { IsValue, JsonStep, Operation, Range } from '../request/request.ts';

/**
 * Returns `quotes."customization" #> '{"team","kit"}' ->> 0`. Consecutive keys are one operator. A path into a column of
 * another type than jsonb converts it first.
 */
export function fieldExpression(table: string, { column, type, path }: PlannedField): Sql {
  const name = identifier(table, column);
  if (path.length === 0) {
    return name;
  }
  const json = postgresType(type.postgres).kind === 'json' ? name : sql`to_jsonb(${name})`;
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
const castExpression = (expression: Sql, type: string | undefined): Sql =>
  type === undefined ? expression : sql`cast(${expression} as ${keyword(type)})`;

export const tableOf = ({ name }: Collection): Sql => identifier('builder', name);

/** Whether rows belong to accounts. */
export const hasAccounts = ({ columns }: Collection): boolean => Object.hasOwn(columns, 'account_id');

/** Returns the source that an audience reads and updates: the table, or a view of the same columns under its name. */
export function readableOf(collection: Collection, audience: Audience): Sql {
  const view = collection.views?.[audience];
  return view === undefined
    ? tableOf(collection)
    : sql`${identifier('builder', view)} as ${identifier(collection.name)}`;
}

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

/** Returns ` where …`, or nothing without conditions; `also` are conditions of the statement itself. */
export function whereClause(table: string, conditions: PlannedCondition[], also: Sql[] = []): Sql {
  const all = [...also, ...conditions.map(condition => conditionExpression(table, condition))];
  return all.length === 0 ? empty : sql` where ${join(all, ' and ')}`;
}

function conjunction(table: string, conditions: PlannedCondition[], separator: ' and ' | ' or '): Sql {
  return join(
    conditions.map(condition => conditionExpression(table, condition)),
    separator,
  );
}

export function conditionExpression(table: string, condition: PlannedCondition): Sql {
  const expression =
    condition.is === 'filter'
      ? operationExpression(table, condition.field, condition.operation)
      : sql`(${conjunction(table, condition.conditions, condition.is === 'and' ? ' and ' : ' or ')})`;
  return condition.negated ? sql`not ${expression}` : expression;
}

const isValues: Record<IsValue, Sql> = {
  null: keyword('null'),
  not_null: keyword('not null'),
  true: keyword('true'),
  false: keyword('false'),
  unknown: keyword('unknown'),
};

function operationExpression(table: string, field: PlannedField, operation: Operation): Sql {
  const expression = fieldExpression(table, field);
  switch (operation.operator) {
    case 'is':
      return sql`${expression} is ${isValues[operation.value]}`;
    case 'in':
      return sql`${expression} = any (${arrayText(operation.values)})`;
    default: {
      if (isTextSearch(operation)) {
        return textSearchExpression(expression, operation);
      }
      const operator: { symbol: string; wildcard?: true } = operators[operation.operator];
      const value = operator.wildcard ? operation.value.replaceAll('*', '%') : operation.value;
      const operand = operation.quantifier ? sql`${keyword(operation.quantifier)} (${value})` : sql`${value}`;
      return sql`${expression} ${keyword(operator.symbol)} ${operand}`;
    }
  }
}

type TextSearch = Extract<Operation, { operator: TextSearchOperatorName }>;

const isTextSearch = (operation: Operation): operation is TextSearch =>
  Object.hasOwn(textSearchOperators, operation.operator);

function textSearchExpression(expression: Sql, { operator, value, configuration }: TextSearch): Sql {
  const language = configuration === undefined ? empty : sql`${configuration}, `;
  return sql`to_tsvector(${language}${expression}) @@ ${keyword(textSearchOperators[operator])}(${language}${value})`;
}
