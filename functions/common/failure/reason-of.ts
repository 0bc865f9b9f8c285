/**
 * The reason of a failure in its log line: what a person can act on without the request, and never a value of it. A name that
 * the request has made up may be a value, so only names of ours are logged.
 */
import type { Failure, Unset } from './failure.ts';
import type { BodyIssue } from './issue.ts';
import { causeOf } from './sqlstates.ts';

type Reasons = {
  [K in Failure['is']]?: (failure: Extract<Failure, { is: K }>, names: Names) => string | undefined;
};

/** The names that a request may have and the log too: columns or arguments. */
export type Names = readonly string[];

/** Returns what an unknown name was perhaps meant to be. */
const perhaps = ({ nearest }: { nearest: string[] }): string =>
  nearest.length === 0 ? '' : `, perhaps ${nearest.join(' or ')}`;

/** Most paths that a reason has. */
const shownPaths = 10;

/** Returns the paths of fields. A key that is no column's name, or is within a column's JSON, is the client's. */
function pathsOf(fields: readonly Pick<BodyIssue, 'row' | 'path'>[], names: Names): string {
  const paths = fields.map(({ row, path }) => {
    const [column = '', ...inner] = path.split('.');
    const shown = !names.includes(column) ? '…' : inner.length > 0 ? `${column}.…` : column;
    return row === undefined ? shown : `${row}.${shown}`;
  });
  const distinct = [...new Set(paths)];
  const more = distinct.length > shownPaths ? ` and ${distinct.length - shownPaths} more` : '';
  return distinct.slice(0, shownPaths).join(', ') + more;
}

const columnOf = ({ collection, column }: { collection: string; column: string }): string =>
  `${collection}.${column}`;

/** What an SQLSTATE, or the cause of one, says of a request. */
const kinds: Record<string, string> = {
  '23502': 'missing value',
  '23503': 'missing row of a relation',
  '23505': 'taken key',
  '23514': 'invalid value',
  values: 'invalid value',
  names: 'unknown name or operator',
  rights: 'missing permission',
};

/** The parameters of a query that are no filters of columns. */
const parameters = ['select', 'columns', 'on_conflict', 'order', 'limit', 'offset', 'and', 'or'];

/** Most failures are their own reason. These have more to say. */
const reasons: Reasons = {
  unparsable: ({ parameter, error: { grammar, character } }, names) =>
    `unparsable ${grammar} at character ${character}${[...parameters, ...names].includes(parameter) ? ` of ${parameter}` : ''}`,
  'taken key': () => 'taken key: the key of a row that this caller cannot change',
  'too complex': ({ what }) => `too many ${what}`,
  'invalid value': ({ of = 'a parameter' }) => `invalid value: ${of}`,
  'invalid fields': ({ issues }, names) => `invalid fields: ${pathsOf(issues, names)}`,
  'unusable header': ({ header }) => `unusable header: ${header}`,
  'spread of many': ({ collection }) => `spread of many, in ${collection}`,
  'order by many': ({ collection }) => `order by many, in ${collection}`,
  'unknown relation': failure => `unknown relation of ${failure.collection}${perhaps(failure)}`,
  'ambiguous relation': ({ collection }) => `ambiguous relation of ${collection}`,
  'unknown collection': failure => `unknown collection${perhaps(failure)}`,
  'unknown function': failure => `unknown function${perhaps(failure)}`,
  'function arguments': ({ name }) => `function arguments: ${name}`,
  'forbidden function': ({ name }) => `forbidden function: ${name}`,
  'unknown column': failure => `unknown column of ${failure.collection}${perhaps(failure)}`,
  'unknown body column': failure => `unknown column of ${failure.collection} in the body${perhaps(failure)}`,
  'unreadable column': failure => `unreadable column: ${columnOf(failure)}`,
  'forbidden table': ({ collection }) => `forbidden table: ${collection}`,
  'forbidden fields': ({ action, fields }, names) => `cannot ${action}: ${pathsOf(fields, names)}`,
  'not singular': ({ rows, why }) => `not singular: ${rows} rows${why ? `, ${why}` : ''}`,
  'precondition failed': ({ why }) => `precondition failed${why ? `: ${why}` : ''}`,
  'max affected': ({ rows }) => `max affected: ${rows} rows`,
  'rows missing': ({ found }) => `rows missing: found ${found}`,
  'credentials missing': ({ what }) => `credentials missing: ${what}`,
  'secret in browser': ({ kind }) => `secret in browser: ${kind}`,
  'read key': ({ refused }) => `read key: ${refused}`,
  'other service': ({ service }) => `other service: ${service}`,
  'too many sockets': ({ of }) => `too many sockets of ${of}`,
  'credentials refused': ({ message }) => message,
  'claims refused': ({ message }) => message,
  database({ sqlstate, constraint, column, filtered, issues, forbidden }, names) {
    if (forbidden) {
      return `cannot ${forbidden.action}: ${pathsOf(forbidden.fields, names)}`;
    }
    const of = constraint ?? (issues ? pathsOf(issues, names) : column);
    const kind = kinds[sqlstate] ?? kinds[causeOf(sqlstate)] ?? causeOf(sqlstate);
    if (of === undefined) {
      return filtered?.length ? `${kind}: ${filtered.join(', ')}` : kind;
    }
    return sqlstate.startsWith('23') ? `${kind}: ${of}` : of;
  },
};

/** Returns the reason of a failure, with no name of the request but `names`. */
export function reasonOf(failure: Failure, names: Names = []): string {
  const unset = 'unset' in failure ? failure.unset : undefined;
  if (unset) {
    return nameUnset(unset);
  }
  const reason = (
    reasons[failure.is] as ((failure: Failure, names: Names) => string | undefined) | undefined
  )?.(failure, names);
  return reason ?? ('reason' in failure ? failure.reason : failure.is);
}

/** Names the variables that are not set. */
export const nameUnset = ({ variables }: Unset): string => `not set: ${variables.join(', ')}`;
