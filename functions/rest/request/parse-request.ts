/**
 * HTTP → ApiRequest, in two steps: first the method, the query string and the headers, then the body (parse-body.ts), so that
 * the body of a bad request is never read. Column names are checked later, by the plan stage.
 * https://docs.postgrest.org/en/stable/references/api/tables_views.html
 */

import type { Failure } from '../../common/failure/failure.ts';
import type { ParseError } from '../../common/failure/parse-error.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { memoize } from '../../common/memoize.ts';
import { parseFilterKey, parseNames } from './field.ts';
import { lacksOperator, parseFilter } from './filter.ts';
import { parseLogicKey, parseLogicTree } from './logic-tree.ts';
import { negotiate } from './media-type.ts';
import { suggestOperator } from './operators.ts';
import { parsePreferences } from './preferences.ts';
import { findQueryExcess, isHeaderTooLong, tooManyLevels } from './query-excess.ts';
import { type Parameter, parseQueryString } from './query-string.ts';
import { parseRange } from './range.ts';
import {
  type ApiRequest,
  type Condition,
  findUnexposed,
  isRead,
  type Method,
  type Scope,
  type SelectItem,
} from './request.ts';
import { parseColumns, parseOrder, parseSelect } from './select.ts';

const selectOf = memoize(parseSelect);
const orderOf = memoize(parseOrder);

const allColumns: SelectItem[] = [{ is: 'all' }];

export interface HttpHead {
  method: Method;
  /** The query string without its `?`. */
  query: string;
  header(name: string): string | null;
}

export const headOf = (request: Request): HttpHead => ({
  method: request.method as Method,
  query: new URL(request.url).search.slice(1),
  header: name => request.headers.get(name),
});

/** Parses everything but the body. */
export function parseHead(request: HttpHead): Result<ApiRequest> {
  const { method } = request;
  const parameters = parseQueryString(request.query);
  const nul = parameters.find(({ name, value }) => name.includes('\0') || value.includes('\0'));
  if (nul) {
    return fail<Failure>({ is: 'nul character', name: nul.name });
  }
  const query = parseQuery(parameters);
  if (!query.ok) {
    return query;
  }
  const headers = {
    range: method === 'GET' ? request.header('range') : null,
    prefer: request.header('prefer'),
    profile: request.header(isRead(method) ? 'accept-profile' : 'content-profile'),
    accept: request.header('accept'),
    ifMatch: request.header('if-match'),
    ifNoneMatch: request.header('if-none-match'),
  };
  if (Object.values(headers).some(isHeaderTooLong)) {
    return fail<Failure>({ is: 'header too long' });
  }
  const last = (name: string) => parameters.findLast(parameter => parameter.name === name)?.value;
  const range = parseRange(last('limit'), last('offset'), headers.range);
  if (!range.ok) {
    return range;
  }
  const preferences = parsePreferences(headers.prefer ?? '');
  if (preferences.handling === 'strict' && preferences.invalid.length > 0) {
    return fail<Failure>({ is: 'invalid preferences', preferences: preferences.invalid });
  }
  const { profile, ifMatch, ifNoneMatch } = headers;
  const unexposed = profile === null ? undefined : findUnexposed(profile);
  if (unexposed) {
    return fail(unexposed);
  }
  const mediaType = negotiate(headers.accept ?? '');
  if (!mediaType.ok) {
    return mediaType;
  }
  const idempotencyKey = method === 'POST' ? request.header('idempotency-key') : null;
  if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey)) {
    return fail<Failure>({
      is: 'unusable header',
      header: 'Idempotency-Key',
      details: `It must have 1 to ${limits.request.idempotencyKey} visible ASCII characters, and not begin with {{, as a variable does that is not filled in.`,
    });
  }
  return ok({
    method,
    ...query.value,
    range: range.value,
    preferences,
    mediaType: mediaType.value,
    ...(profile !== null && { profile }),
    ...(ifMatch !== null && { ifMatch }),
    ...(ifNoneMatch !== null && { ifNoneMatch }),
    ...(idempotencyKey !== null && { idempotencyKey }),
  });
}

/** An unfilled variable, such as our documents have as a default, would be the key of every request. */
const isIdempotencyKey = (text: string): boolean =>
  /^[\x21-\x7e]+$/.test(text) && !text.startsWith('{{') && text.length <= limits.request.idempotencyKey;

type Query = Omit<Scope, 'range'> & Pick<ApiRequest, 'select' | 'columns' | 'onConflict'>;

/** Parses the query string, but for the range of the collection's rows, which a header may have too. */
function parseQuery(parameters: Parameter[]): Result<Query> {
  const query: Query = { select: allColumns, ...noScope() };
  const seen = new Set<string>();
  for (const { name, value } of parameters) {
    const parsed = parseParameter(query, name, value, seen.has(name));
    seen.add(name);
    if (!parsed.ok) {
      return fail<Failure>(
        'grammar' in parsed.failure
          ? { is: 'unparsable', parameter: name, error: parsed.failure }
          : parsed.failure,
      );
    }
    const excess = findQueryExcess(query);
    if (excess) {
      return fail(excess);
    }
  }
  return ok(query);
}

/** Adds a parameter to the query. Of those that are not filters, the first one counts, and the last `limit` and `offset`. */
function parseParameter(
  query: Query,
  name: string,
  value: string,
  isRepeated: boolean,
): Result<unknown, Failure | ParseError> {
  switch (name) {
    case 'select':
      return isRepeated ? ok(0) : assign(selectOf(value), items => (query.select = items));
    case 'columns':
      return isRepeated ? ok(0) : assign(parseColumns(name, value), names => (query.columns = names));
    case 'on_conflict':
      return isRepeated ? ok(0) : assign(parseColumns(name, value), names => (query.onConflict = names));
    case 'limit':
    case 'offset':
      return ok(0);
  }
  const [, embedded, scoped] = /^(?:(.*)\.)?(order|limit|offset)$/s.exec(name) ?? [];
  if (scoped === undefined) {
    return addCondition(query, name, value);
  }
  const path = embedded === undefined ? ok([]) : parseNames(embedded);
  if (!path.ok) {
    return path;
  }
  const found = scopeAt(query, path.value);
  if (!found.ok) {
    return found;
  }
  const scope = found.value;
  if (scoped === 'order') {
    return isRepeated ? ok(0) : assign(orderOf(value), terms => (scope.order = terms));
  }
  const { range } = scope as Scope;
  const texts = { limit: range.limit?.toString(), offset: String(range.offset), [scoped]: value };
  // An empty list has no offset. As in PostgREST, it is no error.
  const offset = Number(texts.limit ?? 1) === 0 ? '0' : texts.offset;
  return assign(parseRange(texts.limit, offset), parsed => Object.assign(range, parsed));
}

const noScope = (): Scope => ({ conditions: [], order: [], range: { offset: 0 }, embedded: new Map() });

/** Returns the scope of embedded rows, by the names that lead to it. */
function scopeAt(query: Omit<Scope, 'range'>, path: string[]): Result<Omit<Scope, 'range'>> {
  if (path.length > limits.query.embeddedLevels) {
    return fail(tooManyLevels);
  }
  let scope = query;
  for (const name of path) {
    const inner = scope.embedded.get(name) ?? noScope();
    scope.embedded.set(name, inner);
    scope = inner;
  }
  return ok(scope);
}

function assign<T, F>(result: Result<T, F>, to: (value: T) => unknown): Result<T, F> {
  if (result.ok) {
    to(result.value);
  }
  return result;
}

function addCondition(query: Query, name: string, value: string): Result<unknown, Failure | ParseError> {
  const logic = parseLogicKey(name);
  if (logic) {
    const tree = parseLogicTree(logic.operator, value);
    return tree.ok ? pushCondition(query, logic.embedded, tree.value) : tree;
  }
  const key = parseFilterKey(name);
  if (!key.ok) {
    return key;
  }
  const filter = parseFilter(value);
  if (!filter.ok) {
    return fail(
      lacksOperator(filter.failure)
        ? { ...filter.failure, hint: suggestOperator(name, value) }
        : filter.failure,
    );
  }
  const { embedded, field } = key.value;
  return pushCondition(query, embedded, { is: 'filter', field, ...filter.value });
}

const pushCondition = (query: Query, path: string[], condition: Condition): Result<unknown> =>
  assign(scopeAt(query, path), ({ conditions }) => conditions.push(condition));
