/**
 * The reason of a failure in its log line: what a person can act on without the request, and never a value of it. A name that
 * the request has made up may be a value, so only names of ours are logged, and the nearest one in place of another.
 */
import { collections } from '../../../schema/collections.ts';
import type { Failure, Unset } from './failure.ts';
import type { BodyIssue } from './issue.ts';
import { causeOf } from './sqlstates.ts';

type Reasons = { [K in Failure['is']]?: (failure: Extract<Failure, { is: K }>) => string | undefined };

const grammars = ['select', 'order', 'columns', 'on_conflict', 'or', 'and', 'limit', 'offset'];
const known = new Set([
  ...grammars,
  ...collections.flatMap(({ name, columns }) => [name, ...Object.keys(columns)]),
]);

/** Returns a name of the request if it is one of ours. */
const nameOf = (name: string): string => (known.has(name) ? name : '…');

/** Returns what an unknown name was perhaps meant to be. */
const perhaps = ({ nearest }: { nearest: string[] }): string =>
  nearest.length === 0 ? '' : `, perhaps ${nearest.join(' or ')}`;

/** Most paths that a reason has. */
const shownPaths = 10;

/** Returns the paths of fields. Keys within a column's JSON are the client's, and may be anything. */
function pathsOf(fields: readonly Pick<BodyIssue, 'row' | 'path'>[]): string {
  const paths = fields.map(({ row, path }) => {
    const [column = '', ...inner] = path.split('.');
    const shown = [nameOf(column), ...inner.map(part => (/^\d+$/.test(part) ? part : '…'))].join('.');
    return row === undefined ? shown : `${row}.${shown}`;
  });
  const distinct = [...new Set(paths)];
  const more = distinct.length > shownPaths ? ` and ${distinct.length - shownPaths} more` : '';
  return distinct.slice(0, shownPaths).join(', ') + more;
}

const columnOf = ({ collection, column }: { collection: string; column: string }): string =>
  `${collection}.${nameOf(column)}`;

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

/** Most failures are their own reason. These have more to say. */
const reasons: Reasons = {
  unparsable: ({ parameter, error: { grammar, character } }) =>
    `unparsable ${grammar}: ${grammar === 'name' ? 'a parameter' : nameOf(parameter)} at character ${character}`,
  'too complex': ({ what }) => `too many ${what}`,
  'invalid value': ({ of = 'a parameter' }) => `invalid value: ${of}`,
  'invalid fields': ({ issues }) => `invalid fields: ${pathsOf(issues)}`,
  'unusable header': ({ header }) => `unusable header: ${header}`,
  'not embedded': ({ name }) => `not embedded: ${nameOf(name)}`,
  'embedded twice': ({ name }) => `embedded twice: ${nameOf(name)}`,
  'filter of embedding': ({ name }) => `filter of embedding: ${nameOf(name)}`,
  'spread of many': ({ collection, name }) => `spread of many: ${collection} to ${nameOf(name)}`,
  'order by many': ({ collection, name }) => `order by many: ${collection} to ${nameOf(name)}`,
  'unknown relation': failure => `unknown relation of ${failure.collection}${perhaps(failure)}`,
  'unknown collection': failure => `unknown collection${perhaps(failure)}`,
  'unknown function': failure => `unknown function${perhaps(failure)}`,
  'function arguments': ({ name }) => `function arguments: ${name}`,
  'forbidden function': ({ name }) => `forbidden function: ${name}`,
  'unknown column': failure => `unknown column of ${failure.collection}${perhaps(failure)}`,
  'unknown body column': failure => `unknown column of ${failure.collection} in the body${perhaps(failure)}`,
  'unreadable column': failure => `unreadable column: ${columnOf(failure)}`,
  'forbidden table': ({ collection }) => `forbidden table: ${collection}`,
  'forbidden fields': ({ action, fields }) => `cannot ${action}: ${pathsOf(fields)}`,
  'not singular': ({ rows, why }) => `not singular: ${rows} rows${why ? `, ${why}` : ''}`,
  'precondition failed': ({ why }) => `precondition failed${why ? `: ${why}` : ''}`,
  'max affected': ({ rows }) => `max affected: ${rows} rows`,
  'rows missing': ({ found }) => `rows missing: found ${found}`,
  'price changed': ({ price }) => `price changed: ${price}`,
  'credentials missing': ({ what }) => `credentials missing: ${what}`,
  'secret in browser': ({ kind }) => `secret in browser: ${kind}`,
  'read key': ({ refused }) => `read key: ${refused}`,
  'other service': ({ service }) => `other service: ${service}`,
  'too many sockets': ({ of }) => `too many sockets of ${of}`,
  'response too large': ({ limit }) => `response too large: over ${limit} bytes`,
  'credentials refused': ({ message }) => message,
  'claims refused': ({ message }) => message,
  database({ sqlstate, constraint, column, issues, forbidden }) {
    if (forbidden) {
      return `cannot ${forbidden.action}: ${pathsOf(forbidden.fields)}`;
    }
    const of = constraint ?? (issues ? pathsOf(issues) : column);
    const kind = kinds[sqlstate] ?? kinds[causeOf(sqlstate)] ?? causeOf(sqlstate);
    return of === undefined ? kind : sqlstate.startsWith('23') ? `${kind}: ${of}` : of;
  },
};

/** Returns the reason of a failure. */
export function reasonOf(failure: Failure): string {
  const unset = 'unset' in failure ? failure.unset : undefined;
  if (unset) {
    return nameUnset(unset);
  }
  const reason = (reasons[failure.is] as ((failure: Failure) => string | undefined) | undefined)?.(failure);
  return reason ?? ('reason' in failure ? failure.reason : failure.is);
}

/** Names the variables that are not set. */
export const nameUnset = ({ variables }: Unset): string => `not set: ${variables.join(', ')}`;
