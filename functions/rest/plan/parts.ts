/** Finds parts of a plan by name, for conditions and orders that refer to them. */
import type { Collection } from '../../../schema/collection.ts';
import { relationsOf } from '../../../schema/relations.ts';
import type { Failure } from '../../common/failure/failure.ts';
import type { ApiRequest, Condition } from '../request/request.ts';
import type { Part, PlannedCondition } from './plan.ts';
import { findColumn } from './resolve-field.ts';

/** Returns the conditions that a row has related rows for each part of which it must. */
export const requireInner = (parts: Part[]): PlannedCondition[] =>
  parts.filter(({ inner }) => inner).map(part => ({ is: 'exists', negated: false, part }));

/** Finds a part by its name in the response, or else by the relation's. */
export const findPart = (parts: Part[], name: string): Part | undefined =>
  parts.find(part => part.name === name) ?? parts.find(part => part.relationName === name);

/**
 * Finds a condition on related rows in a write. It would only narrow what the response shows, and a caller would take it for a
 * condition of the write.
 */
export function findConditionOfWrite(
  { method, conditions }: ApiRequest,
  { collection, collections }: { collection: Collection; collections: readonly Collection[] },
  parts: Part[],
): Failure | undefined {
  const related = [
    ...parts.map(part => part.name),
    ...relationsOf(collection, collections).map(({ to }) => to.name),
  ];
  const filtered = method === 'POST' ? [] : namesIn(conditions);
  const name =
    parts.find(({ inner }) => inner)?.name ??
    filtered.find(one => related.includes(one) && findColumn(collection, one) === undefined);
  return name === undefined
    ? undefined
    : { is: 'condition on related rows', name, method, key: collection.primaryKey };
}

const namesIn = (conditions: Condition[]): string[] =>
  conditions.flatMap(condition =>
    condition.is === 'filter' ? condition.field.name : namesIn(condition.conditions),
  );
