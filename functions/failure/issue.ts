/**
 * The invalid fields of a body: as data, for a form to show at each field, and as sentences for a person.
 *
 * A path is the column and the keys and indexes inside its JSON, joined by dots (`size_breakdown.M`); in an array of
 * rows the row's index comes first (`1.size_breakdown.M`). react-hook-form names fields the same way, so
 * `setError(path, { message })` finds the field; for an array of rows, the field array's name is put before the path.
 */

/** One invalid field: its path, what was expected and what was received. */
export interface BodyIssue {
  /** The row's index in an array of rows; a body that is one row has none. */
  row?: number;
  /** The path within the row. */
  path: string;
  expected: string;
  /** The value that the client sent, truncated when it is long. */
  received: string;
  sqlstate: string;
}

/** An issue as it is in the response. */
export interface RenderedIssue {
  path: string;
  expected: string;
  received: string;
  /** A sentence to show at the field. */
  message: string;
}

export function renderIssue(issue: BodyIssue): RenderedIssue {
  const { row, path, expected, received } = issue;
  return {
    path: row === undefined ? path : `${row}.${path}`,
    expected,
    received,
    message: sentenceOf(issue),
  };
}

/** All issues as sentences, each with the index of its row in an array of rows. */
export const describeIssues = (issues: BodyIssue[]): string =>
  issues
    .map(issue => (issue.row === undefined ? '' : `Element ${issue.row}: `) + sentenceOf(issue))
    .join(' ');

function sentenceOf({ path, expected, received, sqlstate }: BodyIssue): string {
  if (sqlstate === '23502') {
    return received === 'null' ? `${path} must not be null.` : `${path} is required.`;
  }
  return `${path} must be ${expected}; it is ${received}.`;
}
