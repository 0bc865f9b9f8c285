/** Finds parts of a plan by name, for conditions and orders that refer to them. */
import type { Part, PlannedCondition } from './planned.ts';

/** Returns the conditions that a row has related rows for each part of which it must. */
export const requireInner = (parts: Part[]): PlannedCondition[] =>
  parts.filter(({ inner }) => inner).map(part => ({ is: 'exists', negated: false, part }));

/** Finds a part by its name in the response, or else by the relation's. */
export const findPart = (parts: Part[], name: string): Part | undefined =>
  parts.find(part => part.name === name) ?? parts.find(part => part.relationName === name);
