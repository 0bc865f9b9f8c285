/** Failures that depend on the collection and the caller: names, permissions, row counts. */

import { type FailureRows, refusal, type Unwritten } from './failure.ts';
import { renderForbidden } from './issue.ts';

const perhaps = (names: string[], quote: (name: string) => string): string | undefined =>
  names.length === 0 ? undefined : `Perhaps you meant ${names.map(quote).join(' or ')}.`;

const quoted = (name: string): string => `"${name}"`;

const listed = (kind: string, names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : `Known ${kind}: ${names.join(', ')}.`;

const functionNotFound = (name: string) => ({
  status: 404,
  code: 'PGRST202',
  message: `Could not find the function builder.${name} in the schema cache`,
});

export const collectionFailures = {
  'put key mismatch': () => ({
    status: 400,
    code: 'PGRST115',
    message: 'Payload values do not match URL in primary key column(s)',
  }),
  'not singular': ({ rows, why, version }) => ({
    status: 406,
    code: 'PGRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${rows} rows`,
    hint: why && unwrittenHint(why, version),
  }),
  'max affected': ({ rows }) => ({
    status: 400,
    code: 'PGRST124',
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${rows} rows`,
  }),
  'deleted row': ({ key, softDelete }) => ({
    status: 409,
    code: '23505',
    message: 'A row of the body has the key of a deleted row, so nothing was written',
    hint: `This caller can restore it: PATCH …?${key}=eq.<${key}> with {"${softDelete}": null}.`,
  }),
  'taken key': ({ restorableBy }) => ({
    status: 409,
    code: '23505',
    message: 'A row of the body has the key of a row that this caller cannot change, so nothing was written',
    hint: restorableBy && `A deleted row keeps its key; ${restorableBy.join(' or ')} can restore it.`,
  }),
  'precondition failed': ({ why, version }) => ({
    status: 412,
    code: 'PT412',
    message: 'The row has changed since it was read, or is gone, so nothing was written',
    hint: why
      ? unwrittenHint(why, version)
      : 'Read it again, and send the ETag of that response in If-Match.',
  }),
  'rows missing': ({ found }) => ({
    status: 404,
    code: 'PT404',
    message: 'Some rows of the body were not found, so nothing was changed',
    details: `Rows found: ${found}.`,
  }),
  'unknown relation': ({ collection, name, using, known, nearest }) => ({
    status: 400,
    code: 'PGRST200',
    message: `Could not find a relationship between '${collection}' and '${name}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${collection}' and '${name}'${using === undefined ? '' : ` using the hint '${using}'`} in the schema 'builder', but no matches were found.`,
    hint:
      known.length === 0
        ? `Nothing can be embedded in ${collection}. Read other collections in separate requests.`
        : (perhaps(nearest, quoted) ?? listed('relations', known)),
  }),
  'ambiguous relation': ({ collection, name, hints }) => ({
    status: 300,
    code: 'PGRST201',
    message: `Could not embed because more than one relationship was found for '${collection}' and '${name}'`,
    hint: `Try changing '${name}' to one of the following: ${hints.map(hint => `'${hint}'`).join(', ')}. Find the desired relationship in the 'select' parameter.`,
  }),
  'embedded twice': ({ name }) => ({
    status: 400,
    code: 'PGRST100',
    message: `'${name}' is embedded twice`,
    hint: `Give one of them another name: select=${name}(…),other:${name}(…).`,
  }),
  'embedding in groups': ({ name, isOne }) => ({
    status: 400,
    code: 'PGRST127',
    message: `'${name}' cannot be embedded in groups`,
    details: 'With an aggregate, the rows of the response are groups, which are related to no single row.',
    hint: isOne
      ? `Group by the columns of the related row: ...${name}(<column>).`
      : `Aggregate the related rows instead: ${name}(count()). Or read them in another request.`,
  }),
  'filter of embedding': ({ name, key }) => ({
    status: 400,
    code: 'PGRST120',
    message: `Only is null or not is null filters are allowed on embedded resources, but '${name}' has another`,
    hint: `Filter by a column of the embedded rows: ${name}.${key}=eq.<${key}>.`,
  }),
  'condition on related rows': ({ name, method, key }) => ({
    status: 400,
    code: 'PGRST100',
    message: `A ${method} has no condition on related rows, but '${name}' is one`,
    details: 'It would only narrow what the response shows.',
    hint:
      method === 'PATCH' || method === 'DELETE'
        ? `Read the ${key}s of the rows with it first, and send them in this request: ${key}=in.(…).`
        : `Embed them without !inner: ${name}(…).`,
  }),
  'spread of many': ({ collection, name }) => ({
    status: 400,
    code: 'PGRST119',
    message: `A spread operation on '${name}' is not possible`,
    details: `'${collection}' and '${name}' do not form a many-to-one or one-to-one relationship`,
    hint: `Embed them as a list: ${name}(*).`,
  }),
  'order by many': ({ collection, name, key }) => ({
    status: 400,
    code: 'PGRST118',
    message: `A related order on '${name}' is not possible`,
    details: `'${collection}' and '${name}' do not form a many-to-one or one-to-one relationship`,
    hint: `Order the embedded rows: ${name}.order=${key}.`,
  }),
  'forbidden function': ({ name, authenticated = false }) => ({
    code: '42501',
    message: `permission denied for function ${name}`,
    ...refusal({ authenticated }),
  }),
  'unknown function': ({ name, known, nearest }) => ({
    ...functionNotFound(name),
    hint: perhaps(nearest, quoted) ?? listed('functions', known),
  }),
  'function turned off': ({ name, variable }) => ({
    ...functionNotFound(name),
    hint: `The operator has turned it off: ${variable}=off.`,
  }),
  'function arguments': ({ name, takes }) => ({
    ...functionNotFound(name),
    hint: `${name} takes ${takes}.`,
  }),
  'unknown body column': ({ collection, column, nearest, hint }) => ({
    status: 400,
    code: 'PGRST204',
    message: `Could not find the '${column}' column of '${collection}' in the schema cache`,
    hint: hint ?? perhaps(nearest, name => `'${name}'`),
  }),
  'unknown collection': ({ name, known, nearest }) => ({
    status: 404,
    code: 'PGRST205',
    message: `Could not find the table 'builder.${name}' in the schema cache`,
    hint: perhaps(nearest, quoted) ?? listed('collections', known),
  }),
  'unknown column': ({ collection, column, nearest, hint }) => ({
    status: 400,
    code: '42703',
    message: `column ${collection}.${column} does not exist`,
    hint: hint ?? perhaps(nearest, name => `the column "${collection}.${name}"`),
  }),
  'unknown configuration': ({ name }) => ({
    status: 400,
    code: '42704',
    message: `text search configuration "${name}" does not exist`,
  }),
  'unknown type': ({ name, known }) => ({
    status: 400,
    code: '42704',
    message: `type "${name}" does not exist`,
    hint: `The supported types are ${known.join(', ')}.`,
  }),
  'forbidden table': ({ collection, authenticated, hint }) => ({
    code: '42501',
    message: `permission denied for table ${collection}`,
    hint,
    ...refusal({ authenticated }),
  }),
  'unreadable column': ({ collection, column, authenticated }) => ({
    code: '42501',
    message: `permission denied for column ${column} of table ${collection}`,
    details: 'This caller cannot read it.',
    ...refusal({ authenticated }),
  }),
  'forbidden fields': ({ collection, fields, action, authenticated, hint }) => {
    const columns = [...new Set(fields.map(({ path }) => path))];
    const several = columns.length > 1;
    return {
      code: '42501',
      message: `permission denied for column${several ? 's' : ''} ${columns.join(', ')} of table ${collection}`,
      details: `This caller cannot ${action} ${several ? 'them' : 'it'}.`,
      hint,
      issues: fields.map(field => renderForbidden(field, action)),
      ...refusal({ authenticated }),
    };
  },
} satisfies Partial<FailureRows>;

/**
 * Returns the hint of a write that found no row, which begins with its reason, so that programs can distinguish them: supabase-js
 * shows no headers. `version` is the column of the time of the last change.
 */
export function unwrittenHint(why: Unwritten, version?: string): string {
  switch (why) {
    case 'changed': {
      const again =
        version && `, and send ${version} exactly as it was read: toISOString() drops its microseconds`;
      return `changed: the row no longer matches the version or the values in the request. Read it again${again ?? ''}.`;
    }
    case 'gone':
      return 'gone: no row with this key exists, or this caller cannot see it.';
    case 'not yours':
      return 'not yours: this caller can read the row, but not write it.';
  }
}
