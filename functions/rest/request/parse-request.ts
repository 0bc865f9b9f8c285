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
import { findQueryExcess, isHeaderTooLong } from './excess.ts';
import { parseFilterKey } from './field.ts';
import { lacksOperator, parseFilter } from './filter.ts';
import { parseLogicKey, parseLogicTree } from './logic-tree.ts';
import { negotiate } from './media-type.ts';
import { suggestOperator } from './operators.ts';
import { parsePreferences } from './preferences.ts';
import { type Parameter, parseQueryString } from './query-string.ts';
import { parseRange } from './range.ts';
import {
  type ApiRequest,
  type Condition,
  type Filter,
  findUnexposed,
  isRead,
  type Method,
  type OrderTerm,
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

type Query = Pick<ApiRequest, 'select' | 'conditions' | 'order' | 'columns' | 'onConflict'>;

function parseQuery(parameters: Parameter[]): Result<Query> {
  const query: Query = { select: allColumns, conditions: [], order: [] };
  const seen = new Set<string>();
  for (const { name, value } of parameters) {
    const first = !seen.has(name);
    seen.add(name);
    let parsed: Result<unknown, Failure | ParseError> = ok(undefined);
    if (name === 'select') {
      parsed = first ? assign(selectOf(value), (items: SelectItem[]) => (query.select = items)) : parsed;
    } else if (name === 'order') {
      parsed = first ? assign(orderOf(value), (terms: OrderTerm[]) => (query.order = terms)) : parsed;
    } else if (name === 'columns') {
      parsed = first
        ? assign(parseColumns(name, value), (names: string[]) => (query.columns = names))
        : parsed;
    } else if (name === 'on_conflict') {
      parsed = first
        ? assign(parseColumns(name, value), (names: string[]) => (query.onConflict = names))
        : parsed;
    } else if (name !== 'limit' && name !== 'offset') {
      parsed = assign(parseCondition(name, value), (condition: Condition) =>
        query.conditions.push(condition),
      );
    }
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

function assign<T, F>(result: Result<T, F>, to: (value: T) => unknown): Result<T, F> {
  if (result.ok) {
    to(result.value);
  }
  return result;
}

function parseCondition(name: string, value: string): Result<Condition, Failure | ParseError> {
  const logic = parseLogicKey(name);
  if (logic?.is === 'logic') {
    return parseLogicTree(logic.operator, value);
  }
  const key = logic ? ok(logic) : parseFilterKey(name);
  if (!key.ok) {
    return key;
  }
  if (key.value.is === 'embedding') {
    return fail<Failure>({ is: 'not embedded', name: key.value.name });
  }
  const filter = parseFilter(value);
  if (!filter.ok) {
    return fail(
      lacksOperator(filter.failure)
        ? { ...filter.failure, hint: suggestOperator(name, value) }
        : filter.failure,
    );
  }
  return ok<Filter>({ is: 'filter', field: key.value.field, ...filter.value });
}
