/**
 * What is wrong with a field of a body, for a form to show at the field and for a person to read.
 *
 * A path is the column and the keys and indexes inside its JSON, joined by dots (`size_breakdown.M`); in an array of
 * rows the row's index comes first (`1.size_breakdown.M`). react-hook-form names fields the same way, so that
 * `setError(path, { message })` finds the field, after the name of a field array for an array of rows.
 */

/** One thing that is wrong with a body: where, what was expected, what came. */
export interface BodyIssue {
  /** The row's index in an array of rows; a body that is one row has none. */
  row?: number;
  /** Where in the row. */
  path: string;
  expected: string;
  /** What the client sent there, cut when it is long. */
  received: string;
  sqlstate: string;
}

/** An issue as it is answered. */
export interface RenderedIssue {
  path: string;
  expected: string;
  received: string;
  /** A sentence that can stand by its field. */
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

/** All of them as sentences, each telling the element of the array that it is about. */
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
