/** Failures that do not depend on the collection: syntax, headers, body, path. */
import { limits } from '../limits.ts';
import { loopbackNames } from '../loopback-names.ts';
import { shorten } from '../text.ts';
import type { FailureRows } from './failure.ts';
import { type BodyIssue, describeIssues, renderIssue, summarizeIssues } from './issue.ts';
import { describeOtherService } from './other-services.ts';
import { describeParseError } from './parse-error.ts';

/** Returns the error that Postgres would report first: unreadable values before nulls, nulls before checks. */
function firstSqlstate(issues: BodyIssue[]): string {
  const sqlstates = issues.map(({ sqlstate }) => sqlstate);
  return (
    sqlstates.find(code => code.startsWith('22')) ??
    sqlstates.find(code => code === '23502') ??
    sqlstates[0] ??
    '22P02'
  );
}

export const requestFailures = {
  unparsable: ({ parameter, error }) => ({
    status: 400,
    code: 'PGRST100',
    ...describeParseError(parameter, error),
  }),
  'invalid value': ({ sqlstate, message, hint }) => ({ status: 400, code: sqlstate, message, hint }),
  'too complex': ({ what, limit, hint = 'Split it into several requests.' }) => ({
    status: 400,
    code: 'PGRST100',
    message: `The request has too many ${what}`,
    details: `At most ${limit} are accepted.`,
    hint,
  }),
  'invalid body': ({ message, details, hint }) => ({ status: 400, code: 'PGRST102', message, details, hint }),
  'invalid fields': ({ issues, hint }) => ({
    status: 400,
    code: firstSqlstate(issues),
    message: summarizeIssues(issues),
    details: describeIssues(issues),
    hint,
    issues: issues.map(renderIssue),
  }),
  'invalid range': ({ details, headers }) => ({
    status: 416,
    code: 'PGRST103',
    message: 'Requested range not satisfiable',
    details,
    ...(headers && { headers }),
  }),
  'unusable header': ({ header, details }) => ({
    status: 400,
    code: 'PT400',
    message: `${header} cannot be used on this request`,
    details,
  }),
  'put filters': () => ({
    status: 405,
    code: 'PGRST105',
    headers: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' },
    message: "Filters must include all and only primary key columns with 'eq' operators",
  }),
  'unacceptable schema': ({ schema, exposed }) => ({
    status: 406,
    code: 'PGRST106',
    message: `Invalid schema: ${schema}`,
    hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
  }),
  'unacceptable media type': ({ mediaTypes }) => ({
    status: 406,
    code: 'PGRST107',
    message: `None of these media types are available: ${mediaTypes.join(', ')}`,
  }),
  'nul character': ({ name }) => ({
    status: 400,
    code: '22021',
    message: 'The request contains a NUL character, which no value can hold',
    details: `It is in the parameter "${shorten(name, 100).replaceAll('\0', '\\0')}".`,
  }),
  'unusable name': ({ name }) => ({
    status: 400,
    code: name === '' ? '42602' : '42622',
    message: `"${name}" cannot name a column of the response`,
    details: `A name must have 1 to ${limits.query.nameBytes} bytes.`,
  }),
  'not embedded': ({ name }) => ({
    status: 400,
    code: 'PGRST108',
    message: `'${name}' is not an embedded resource in this request`,
    hint: `Verify that '${name}' is included in the 'select' query parameter: select=*,${name}(*).`,
  }),
  'put range': () => ({
    status: 400,
    code: 'PGRST114',
    message: 'limit/offset querystring parameters are not allowed for PUT',
  }),
  'unsupported method': ({ method, allow }) => ({
    status: 405,
    code: 'PGRST117',
    message: `Unsupported HTTP method: ${method}`,
    headers: { allow },
  }),
  'invalid preferences': ({ preferences }) => ({
    status: 400,
    code: 'PGRST122',
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${preferences.join(', ')}`,
  }),
  'unknown path': () => ({
    status: 404,
    code: 'PGRST125',
    message: 'Invalid path specified in request URL',
    hint: 'A collection is at /rest/v1/<collection>, and a row at /rest/v1/<collection>?<key>=eq.<value>.',
  }),
  'other service': ({ service, functions }) => ({
    status: 404,
    code: 'PGRST125',
    ...describeOtherService(service, functions),
  }),
  'not own request': () => ({
    status: 403,
    code: 'PT403',
    message: 'This path is only for the developer at this machine',
    details: `It accepts requests to ${loopbackNames.slice(0, -1).join(', ')} or ${loopbackNames.at(-1)}, but not from pages of another origin.`,
  }),
  'link ended': () => ({
    status: 404,
    code: 'PT404',
    message: 'This link is invalid or has ended',
    hint: 'Ask whoever sent it for a new one.',
  }),
  'link only reads': () => ({
    status: 403,
    code: 'PT403',
    message: 'This link only reads',
    hint: 'Ask whoever sent it for one that may approve.',
  }),
  'changed meanwhile': ({ what, hint }) => ({
    status: 409,
    code: 'PT409',
    message: `The ${what} has changed since it was read, so nothing was written`,
    hint,
  }),
  'closed meanwhile': ({ what, why, hint }) => ({
    status: 409,
    code: 'PT409',
    message: `The ${what} can no longer be answered: ${why}`,
    hint,
  }),
  'function method': ({ method, allow }) => ({
    status: 405,
    code: 'PGRST101',
    message: `Cannot use the ${method} method on RPC`,
    hint: 'Functions are called with POST.',
    headers: { allow },
  }),
  unfiltered: ({ verb, key }) => ({
    status: 400,
    code: '21000',
    message: `${verb} requires a WHERE clause`,
    hint: `Add a filter, for example ${key}=eq.<${key}>.`,
  }),
  'invalid host': () => ({
    status: 400,
    code: 'PT400',
    message: 'The Host header of the request is not the name of a host',
    hint: 'Send the name of this service in Host.',
  }),
  'url too long': () => ({
    status: 414,
    code: 'PT414',
    message: 'The URL of the request is too long',
    details: `At most ${limits.request.url} characters are accepted.`,
    hint: 'Request fewer keys or columns at a time.',
  }),
  'header too long': () => ({
    status: 431,
    code: 'PT431',
    message: 'A header of the request is too long',
    details: `At most ${limits.request.header} characters per header are accepted.`,
    hint: 'Shorten Accept, Content-Type, If-Match, If-None-Match, Prefer, Range or the profile header.',
  }),
  'encoded body': ({ encoding }) => ({
    status: 415,
    code: 'PT415',
    message: `The Content-Encoding of the request body is not supported: ${encoding}`,
    hint: 'Send the body uncompressed, without Content-Encoding.',
    headers: { 'accept-encoding': 'identity' },
  }),
  'spreadsheet body': () => ({
    status: 415,
    code: 'PT415',
    message:
      'CSV for spreadsheets (profile=spreadsheet) is not accepted: its texts may have apostrophes before formulas',
    hint: 'Export as `text/csv` to import again.',
  }),
  'body too large': ({ limit = limits.body.bytes }) => ({
    status: 413,
    code: 'PGRST102',
    message: 'The request body is too large',
    details: `At most ${limit} bytes are accepted.`,
    hint:
      limit < limits.body.bytes
        ? 'Shorten its texts.'
        : 'Send fewer rows at a time. Store images and files elsewhere, and send their URLs.',
  }),
  'body too slow': () => ({
    status: 408,
    code: 'PT408',
    message: 'The request body took too long to arrive, so nothing was done',
    details: `It must arrive completely within ${limits.body.arrivalSeconds} seconds.`,
  }),
} satisfies Partial<FailureRows>;
