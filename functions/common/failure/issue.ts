/**
 * The invalid fields of a body: as data, so that a form can show them, and as sentences for people.
 *
 * A path is the column and the keys and indexes inside its JSON, joined by dots (`size_breakdown.M`); in an array of
 * rows the row's index comes first (`1.size_breakdown.M`). react-hook-form names fields the same way, so
 * `setError(path, { message })` finds the field. For an array of rows, prefix the path with the field array's name.
 */
import { issueLimit } from '../../../schema/column-type.ts';
import type { Issue } from '../../../schema/issue.ts';

/** One invalid field: its path, what was expected and what was received. */
export interface BodyIssue {
  /** The row's index in an array of rows; undefined for a body that is one row. */
  row?: number;
  /** The path within the row. */
  path: string;
  expected: string;
  /** The value that the client sent, truncated when it is long. */
  received: string;
  sqlstate: string;
}

/** A field that the caller must not write. */
export type ForbiddenField = Pick<BodyIssue, 'row' | 'path'>;

export function renderIssue(issue: BodyIssue): Issue {
  const { row, path, expected, received } = issue;
  return {
    path: row === undefined ? path : `${row}.${path}`,
    expected,
    received,
    message: sentenceOf(issue),
  };
}

export function renderForbidden({ row, path }: ForbiddenField, action: string, expected?: string): Issue {
  return {
    path: row === undefined ? path : `${row}.${path}`,
    expected: expected ?? 'no value',
    received: expected === undefined ? 'a value' : 'another value',
    message:
      expected === undefined ? `This caller cannot ${action} ${path}.` : `${path} must be ${expected}.`,
  };
}

/** Describes all issues as sentences, each with the index of its row in an array of rows. */
export const describeIssues = (issues: BodyIssue[]): string =>
  issues.map(issue => rowOf(issue) + sentenceOf(issue)).join(' ');

/**
 * Describes the first issue and the number of others, for applications that show only an error's message. Omits received
 * values.
 */
export function summarizeIssues(issues: BodyIssue[]): string {
  const first = issues.slice(0, 1).map(issue => rowOf(issue) + demandOf(issue));
  const others = issues.length - first.length;
  // Validation stops at the limit.
  const number = issues.length < issueLimit ? others : `at least ${others}`;
  return others === 0
    ? first.join()
    : `${first.join()}, and ${number} more ${others === 1 ? 'field is' : 'fields are'} invalid`;
}

const rowOf = ({ row }: BodyIssue): string => (row === undefined ? '' : `Element ${row}: `);

const sentenceOf = (issue: BodyIssue): string =>
  isAbsent(issue) ? `${demandOf(issue)}.` : `${demandOf(issue)}; it is ${issue.received}.`;

/** Returns what a field must be, without a full stop. */
function demandOf(issue: BodyIssue): string {
  const { path, expected, received } = issue;
  if (!isAbsent(issue)) {
    return `${path} must be ${expected}`;
  }
  return received === 'null' ? `${path} must not be null` : `${path} is required`;
}

/** The issue of a required field that is missing. */
export const absent = { expected: 'a value', received: 'nothing', sqlstate: '23502' } as const;

const isAbsent = ({ sqlstate }: BodyIssue): boolean => sqlstate === '23502';
