/** Says at which field of the body a value is that must be unique and is taken. */
import type { Failure } from '../failure/failure.ts';
import type { BodyIssue } from '../failure/issue.ts';
import type { Plan } from '../plan/plan.ts';

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
  // Postgres's detail names all columns of the constraint, this one first: Key (code, deleted_at)=(LION, null) …
  const [, received = ''] = /=\((.*?)(?:, [^,]*)?\) already exists/.exec(failure.details ?? '') ?? [];
  const issue: BodyIssue = {
    ...rowOf(plan.body, path, received),
    path,
    expected: 'a value that no other row has',
    received,
    sqlstate: failure.sqlstate,
  };
  return { ...failure, issues: [issue] };
}

/** The last row of an array with the value: of two in one body, the second is refused. */
function rowOf(
  { isArray, json }: { isArray: boolean; json: string },
  path: string,
  value: string,
): Pick<BodyIssue, 'row'> {
  if (!isArray) {
    return {};
  }
  const rows: Record<string, unknown>[] = JSON.parse(json);
  const row = rows.findLastIndex(one => one[path] === value);
  return row < 0 ? {} : { row };
}
