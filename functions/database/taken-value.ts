/** Says at which field of the body a value is that must be unique and is taken. */
import { limits } from '../common/limits.ts';
import { shorten } from '../common/shorten.ts';
import type { Failure } from '../failure/failure.ts';
import type { BodyIssue } from '../failure/issue.ts';
import type { BodyPlan, Plan } from '../plan/plan.ts';

/** Adds the issue to the failure of a write that broke a unique constraint of its collection; returns any other unchanged. */
export function withTakenValue(failure: Failure, plan: Plan): Failure {
  const isTaken = failure.is === 'database' && failure.sqlstate === '23505';
  if (!isTaken || (plan.is !== 'insert' && plan.is !== 'update')) {
    return failure;
  }
  const [, constraint = ''] = /unique constraint "([^"]+)"/.exec(failure.message) ?? [];
  const { unique = {} } = plan.collection;
  const path = Object.hasOwn(unique, constraint) ? unique[constraint] : undefined;
  if (path === undefined) {
    return failure;
  }
  const { row, value } = findValue(plan.body, path);
  const issue: BodyIssue = {
    ...(row !== undefined && { row }),
    path,
    expected: 'a value that no other row has',
    received: value === undefined ? 'one that is taken' : shorten(String(value), limits.body.shownValue),
    sqlstate: failure.sqlstate,
  };
  return { ...failure, issues: [issue] };
}

/**
 * Returns the value that is taken. Postgres doesn't say which it is of a table with row level security; so of several rows
 * it is known only when one repeats the value of an earlier one.
 */
function findValue({ isArray, json }: BodyPlan, path: string): { row?: number; value?: unknown } {
  const body = JSON.parse(json);
  if (!isArray) {
    return { value: body[path] };
  }
  const values: unknown[] = body.map((row: Record<string, unknown>) => row[path]);
  const row = values.length === 1 ? 0 : values.findIndex((value, index) => values.indexOf(value) < index);
  return row < 0 ? {} : { row, value: values[row] };
}
