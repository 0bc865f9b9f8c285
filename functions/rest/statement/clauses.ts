/** The clauses of a statement: columns, tables, groups, order, page and conditions. */
import type { Audience, Collection } from '../../../schema/collection.ts';
import { postgresType } from '../../../schema/postgres-types.ts';
import { limits } from '../../common/limits.ts';
import { shorten } from '../../common/text.ts';
import { arrayText, empty, identifier, join, keyword, type Sql, sql } from '../../database/sql.ts';
import { groupSteps } from '../plan/json-steps.ts';
import { hasAggregates } from '../plan/plan-outputs.ts';
import type { Output, Part, PlannedCondition, PlannedField, PlannedOrder } from '../plan/planned.ts';
import { isLarge } from '../plan/work.ts';
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

/**
 * Returns an expression by whose values rows are sorted or grouped. Postgres keeps the unpacked value of each row meanwhile, in
 * files where they are too many, so a function refuses long values of a large column.
 */
export const sortedExpression = (expression: Sql, { column, type, path }: PlannedField): Sql =>
  isLarge(type)
    ? sql`builder.short_value(${expression}, ${limits.query.sortedBytes}, ${shorten(
        [column, ...path.map(({ arrow, operand }) => arrow + operand)].join(''),
        limits.query.scalar,
      )})`
    : expression;

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

/** Returns the source that an audience reads and updates: the table, or a view of the same columns under its name. */
export function readableOf(collection: Collection, audience: Audience): Sql {
  const view = collection.views?.[audience];
  return view === undefined
    ? tableOf(collection)
    : sql`${identifier('builder', view)} as ${identifier(collection.name)}`;
}

/** The alias of the table of embedded rows. No other table of a statement has it where they are read. */
export const aliasOf = ({ collection, level }: Part): string => `${collection.name}_${level}`;

/** Returns the rows of a part that are related to a row of `table`: a source with its conditions, for a `from` clause. */
export function relatedRows(table: string, part: Part): Sql {
  const { collection, caller, relation, conditions, range } = part;
  const alias = aliasOf(part);
  const source = identifier('builder', collection.views?.[caller.audience] ?? collection.name);
  const isRelated = sql`${identifier(alias, relation.otherColumn)} = ${identifier(table, relation.column)}`;
  const skipsAll = range.limit === 0 || (relation.is === 'one' && range.offset > 0);
  const related = skipsAll ? [isRelated, keyword('false')] : [isRelated];
  return sql`${source} as ${identifier(alias)}${whereClause(alias, conditions, related)}`;
}

/** Returns whether a row of `table` has a row of a part: of its page, and of the groups of an aggregate. */
function hasRelated(table: string, part: Part): Sql {
  const { outputs, range } = part;
  const groups = hasAggregates(outputs)
    ? sql` ${join(outputs.map(output => outputExpression(aliasOf(part), output, true)))}`
    : empty;
  const end = range.limit === 0 || range.offset > 0 ? limitClause(range) : empty;
  return sql`exists (select${groups} from ${relatedRows(table, part)}${groupByClause(outputs)}${end})`;
}

/** Returns an expression about the related row that parts lead to; without parts, about a row of `table`. */
export const ofRelated = (table: string, [part, ...rest]: Part[], of: (table: string) => Sql): Sql =>
  part === undefined
    ? of(table)
    : sql`(select ${ofRelated(aliasOf(part), rest, of)} from ${relatedRows(table, part)})`;

/** Returns the columns of the row itself that outputs and orders need. */
export const ownColumns = (used: Pick<Output, 'of' | 'part' | 'field'>[]): string[] => [
  ...new Set(
    used.flatMap(({ of = [], part, field }) => (of[0] ?? part)?.relation.column ?? field?.column ?? []),
  ),
];

/** Returns the name of an output in the statement: `"c0"`, `"c1"`… */
export const positionalName = (index: number): Sql => identifier(`c${index}`);

/** Returns the value of an output in `page`. */
export const pageValue = (index: number): Sql => sql`page.${positionalName(index)}`;

/** Returns the value of an output that is not embedded. `isGrouped`: rows are grouped by what is no aggregate. */
export function outputExpression(table: string, output: Output, isGrouped: boolean): Sql {
  const { of = [], field, cast, aggregate } = output;
  if (field === undefined) {
    return aggregateOf(keyword('*'), output);
  }
  const expression = ofRelated(table, of, alias => {
    const value = castExpression(fieldExpression(alias, field), cast);
    return isGrouped && !aggregate ? sortedExpression(value, field) : value;
  });
  return aggregateOf(expression, output);
}

const aggregateOf = (expression: Sql, { aggregate, aggregateCast }: Output): Sql =>
  aggregate ? castExpression(sql`${keyword(aggregate)}(${expression})`, aggregateCast) : expression;

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
    ({ of = [], field, direction, nulls }) =>
      sql`${ofRelated(table, of, alias => sortedExpression(fieldExpression(alias, field), field))}${direction ? directions[direction] : empty}${nulls ? nullPositions[nulls] : empty}`,
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
  const expression = positiveExpression(table, condition);
  return condition.negated ? sql`not ${expression}` : expression;
}

function positiveExpression(table: string, condition: PlannedCondition): Sql {
  switch (condition.is) {
    case 'filter':
      return operationExpression(table, condition.field, condition.operation);
    case 'true':
      return fieldExpression(table, condition.field);
    case 'exists':
      return hasRelated(table, condition.part);
    default:
      return sql`(${conjunction(table, condition.conditions, condition.is === 'and' ? ' and ' : ' or ')})`;
  }
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
