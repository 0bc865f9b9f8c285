/** Finds the fields of a write that the database refused, by the constraint or column in its error. */
import { findCheck } from '../../../schema/collection.ts';
import { issueLimit } from '../../../schema/column-type.ts';
import type { Failure } from '../../common/failure/failure.ts';
import type { BodyIssue } from '../../common/failure/issue.ts';
import { limits } from '../../common/limits.ts';
import { shorten, textOfJson } from '../../common/text.ts';
import type { CallPlan, ValuePlan } from '../plan/call.ts';
import type { InsertPlan } from '../plan/insert.ts';
import type { Plan } from '../plan/plan-request.ts';
import { forbiddenFields } from '../plan/resolve-field.ts';
import type { UpdatePlan } from '../plan/update.ts';
import type { BodyRow } from '../request/request.ts';

type DatabaseFailure = Extract<Failure, { is: 'database' }>;
type BodyWrite = InsertPlan | UpdatePlan;

/** Adds the fields to the failure of a write, and how to restore a deleted row. Returns any other failure unchanged. */
export function addFields(failure: Failure, plan: Plan): Failure {
  if (failure.is === 'taken key' && plan.is === 'insert') {
    const { primaryKey: key, softDelete, restorableBy = [] } = plan.collection;
    const mayRestore = softDelete !== undefined && restorableBy.includes(plan.caller.audience);
    return mayRestore ? { is: 'deleted row', key, softDelete } : takenKey(plan);
  }
  if (failure.is === 'database' && (plan.is === 'value' || plan.is === 'call')) {
    return refusedArgument(failure, plan);
  }
  if (failure.is !== 'database' || (plan.is !== 'insert' && plan.is !== 'update')) {
    return failure;
  }
  switch (failure.sqlstate) {
    case 'PG403':
      return changedFields(failure, plan);
    case '23502':
    case '23514':
      return invalidFields(failure, plan);
    case '23503':
      return missingRow(failure, plan);
    case '23505':
      return takenField(failure, plan);
    case '42501':
      return forbiddenField(failure, plan);
    default:
      return failure;
  }
}

/** Returns the failure of an upsert that met a row which its caller can't change: another account's, or a deleted one. */
const takenKey = ({ collection: { restorableBy } }: InsertPlan): Failure => ({
  is: 'taken key',
  ...(restorableBy && { restorableBy }),
});

/** Returns the failure for an argument that a function refuses: the column of its error, and as the detail what it must be. */
function refusedArgument(failure: DatabaseFailure, { called, body }: ValuePlan | CallPlan): Failure {
  const { sqlstate, column = '', details: expected } = failure;
  if (sqlstate !== '23514' || expected === undefined || !Object.hasOwn(called.args, column)) {
    return failure;
  }
  const given = (JSON.parse(body.json) as BodyRow)[column];
  return { is: 'invalid fields', issues: [{ path: column, expected, received: shown(given), sqlstate }] };
}

/** A row of the body with its index, if the body is an array. */
type Given = { row?: number; content: BodyRow };

function rowsOf({ body: { json, isArray } }: BodyWrite): Given[] {
  const parsed: unknown = JSON.parse(json);
  return isArray
    ? (parsed as BodyRow[]).map((content, row) => ({ row, content }))
    : [{ content: parsed as BodyRow }];
}

const placed = ({ row }: Given, path: string): { row?: number; path: string } => ({
  ...(row !== undefined && { row }),
  path,
});

const shown = (value: unknown): string =>
  shorten(typeof value === 'string' ? JSON.stringify(value) : textOfJson(value), limits.body.shownValue);

/** Returns the failure for columns that the caller may only send unchanged. The details have those that differ. */
function changedFields(failure: DatabaseFailure, plan: BodyWrite): Failure {
  const { columns, privilege } = JSON.parse(failure.details ?? '') as Changes;
  const rows = rowsOf(plan).map(({ content }) => content);
  return forbiddenFields(
    plan.collection,
    plan.caller,
    { rows, isArray: plan.body.isArray },
    columns,
    privilege,
  );
}

/** The detail of builder.refuse_changes(). */
interface Changes {
  columns: string[];
  privilege: 'insert' | 'update';
}

/** Returns the failure for values that a check or a rule refuses. Finds the row of an array if its values reveal it. */
function invalidFields(failure: DatabaseFailure, plan: BodyWrite): Failure {
  const { constraint = '', column, sqlstate } = failure;
  const check = findCheck(plan.collection, constraint);
  if (check === undefined && column === undefined) {
    return failure;
  }
  const {
    columns = [],
    expected = 'a value',
    breaks,
    demandsValue = false,
  } = check ?? {
    columns: [column ?? ''],
    demandsValue: true,
  };
  const isMissing = (content: BodyRow, name: string) => content[name] === undefined || content[name] === null;
  const rows = rowsOf(plan);
  const first: Given = rows.find(({ content }) =>
    breaks ? breaks(content) : columns.some(name => demandsValue === isMissing(content, name)),
  ) ??
    (rows.length === 1 ? rows[0] : undefined) ?? { content: {} };
  const missing = columns.filter(name => demandsValue === isMissing(first.content, name));
  // Where the stored row has the other values, only the nulls of the body are at fault.
  const nulls = breaks?.(first.content) ? [] : missing.filter(name => first.content[name] === null);
  const found = nulls.length > 0 ? nulls : missing;
  const issues = (found.length > 0 ? found : columns).map(name => ({
    ...placed(first, name),
    expected,
    received: Object.hasOwn(first.content, name)
      ? shown(first.content[name])
      : demandsValue
        ? 'nothing'
        : 'the stored value',
    sqlstate,
  }));
  return { is: 'invalid fields', issues: issues.slice(0, issueLimit) };
}

/**
 * Returns the failure for a value that must be unique. With row level security, Postgres does not report the value. So among
 * several rows, the field is known only if a row repeats an earlier row's value.
 */
function takenField(failure: DatabaseFailure, plan: BodyWrite): Failure {
  const { name, primaryKey, unique = {} } = plan.collection;
  const { constraint = '', sqlstate } = failure;
  const fields: Record<string, string> = { [`${name}_pkey`]: primaryKey, ...unique };
  const path = Object.hasOwn(fields, constraint) ? fields[constraint] : undefined;
  if (path === undefined) {
    return failure;
  }
  const rows = rowsOf(plan);
  const values = rows.map(({ content }) => content[path]);
  const repeated = rows.length === 1 ? 0 : values.findIndex((value, index) => values.indexOf(value) < index);
  const given = rows[repeated];
  const issue: BodyIssue = {
    ...(given ? placed(given, path) : { path }),
    expected: 'a value that no other row has',
    received:
      given?.content[path] === undefined || path === primaryKey
        ? 'already taken'
        : shorten(textOfJson(given.content[path]), limits.body.shownValue),
    sqlstate,
  };
  return { ...failure, issues: [issue] };
}

/** Returns the failure for a key of a foreign key that no row has. Among several rows, the field is known and its row is not. */
function missingRow(failure: DatabaseFailure, plan: BodyWrite): Failure {
  const { references = [] } = plan.collection;
  const reference = references.find(({ constraint }) => constraint === failure.constraint);
  if (reference === undefined) {
    return failure;
  }
  const { column: path, to } = reference;
  const [given, ...others] = rowsOf(plan);
  const issue: BodyIssue = {
    ...(given && others.length === 0 ? placed(given, path) : { path }),
    expected: `the key of a row of ${to}`,
    received: given && others.length === 0 ? shown(given.content[path]) : 'the key of no row',
    sqlstate: failure.sqlstate,
  };
  return { ...failure, issues: [issue] };
}

/** Returns the failure for a column that a rule closes for this caller. */
function forbiddenField(failure: DatabaseFailure, plan: BodyWrite): Failure {
  const { column, details: expected, ...rest } = failure;
  if (column === undefined) {
    // An upsert met a row that its caller can't see. A deleted row has the same response, so that neither is revealed.
    return plan.is === 'insert' && plan.conflict?.resolution === 'merge' ? takenKey(plan) : failure;
  }
  const having = rowsOf(plan).filter(({ content }) => Object.hasOwn(content, column));
  const fields = having.length > 0 ? having.map(given => placed(given, column)) : [{ path: column }];
  const action = plan.is === 'insert' ? 'set' : 'change';
  return {
    ...rest,
    column,
    forbidden: { fields: fields.slice(0, issueLimit), action, ...(expected && { expected }) },
  };
}
