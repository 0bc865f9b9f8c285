/** Conditions → the where clause. */

import type { PlannedCondition, PlannedField } from '../plan/plan.ts';
import { operators, type TextSearchOperatorName, textSearchOperators } from '../request/operators.ts';
import type { IsValue, Operation } from '../request/request.ts';
import { arrayText } from './array-text.ts';
import { fieldExpression } from './field.ts';
import { empty, join, keyword, type Sql, sql } from './sql.ts';

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
