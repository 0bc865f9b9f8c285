/**
 * The grammars of lists of columns, in the parameters `select`, `order`, `columns` and `on_conflict`
 * (https://docs.postgrest.org/en/stable/references/api/tables_views.html).
 */

import type { ParseError } from '../../common/failure/parse-error.ts';
import type { Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { field, fieldName, identifier, withPath } from './field.ts';
import type { AggregateName, Embedding, OrderTerm, SelectItem } from './request.ts';
import { comma, parseWhole, type Reader, type Scanner } from './scanner.ts';

/**
 * Parses the `select` parameter: `select=code,n:sort_order::text,customization->>team,sort_order.avg()`. An empty one selects
 * everything.
 */
export const parseSelect = (text: string): Result<SelectItem[], ParseError> =>
  parseWhole('select', text, s => (text === '' ? [{ is: 'all' }] : selectItems(s)));

const selectItems: Reader<SelectItem[]> = s => s.list(selectItem, comma, limits.query.outputs);

const selectItem: Reader<SelectItem> = s => {
  s.skipBlanks();
  if (s.accept('*')) return itemEnd(s) && { is: 'all' };
  if (s.accept('...')) {
    const name = fieldName(s);
    return name === undefined ? undefined : embedding(name, { spread: true }, s);
  }
  const name = s.attempt(alias);
  const named = name === undefined ? {} : { alias: name };
  if (s.accept('count()')) return count(named, s);
  s.skipBlanks();
  const source = fieldName(s);
  if (source === undefined) return undefined;
  return s.isAt(/[!(]/y) && source !== 'count'
    ? embedding(source, { ...named, spread: false }, s)
    : column(source, named, s);
};

/** Reads `alias:`, as opposed to the cast `::`. */
const alias: Reader<string> = s => {
  const name = fieldName(s);
  return s.take(/:(?!:)/y) && name;
};

/** Reads what follows the name of an embedding: hints, and its columns in parentheses. */
function embedding(
  name: string,
  named: Pick<Embedding, 'alias' | 'spread'>,
  s: Scanner,
): Embedding | undefined {
  const hints: string[] = [];
  while (hints.length < 2 && s.accept('!')) {
    const hint = fieldName(s);
    if (hint === undefined) return undefined;
    hints.push(hint);
  }
  const select = s.nested(embedded);
  const hint = hints.find(text => text !== 'inner' && text !== 'left');
  return (
    select && {
      is: 'embedding',
      name,
      ...named,
      ...(hint !== undefined && { hint }),
      inner: hints.find(text => text !== hint) === 'inner',
      select,
    }
  );
}

const embedded: Reader<SelectItem[]> = s => {
  if (s.take(/\([ \t]*\)/y) !== undefined) return [];
  const items = s.expect('(') && selectItems(s);
  return items && s.expect(')', '"," or ")"') && items;
};

type Alias = { alias?: string };

function count(alias: Alias, s: Scanner): SelectItem | undefined {
  const aggregateCast = optionalCast(s);
  if (aggregateCast === undefined || !itemEnd(s)) return undefined;
  return { is: 'count', ...alias, ...(aggregateCast && { aggregateCast }) };
}

/** Reads what follows the name of a column: a JSON path, a cast, an aggregate and the aggregate's cast. */
function column(name: string, alias: Alias, s: Scanner): SelectItem | undefined {
  const field = withPath(name, s);
  if (field === undefined) return undefined;
  const cast = optionalCast(s);
  if (cast === undefined) return undefined;
  const item = { is: 'field' as const, field, ...alias, ...(cast && { cast }) };
  if (!s.accept('.')) return itemEnd(s) && item;
  const aggregate = aggregateNames.find(name => s.accept(`${name}()`));
  if (aggregate === undefined) return s.fail('sum(), avg(), count(), max() or min()');
  const aggregateCast = optionalCast(s);
  if (aggregateCast === undefined || !itemEnd(s)) return undefined;
  return { ...item, aggregate, ...(aggregateCast && { aggregateCast }) };
}

const aggregateNames: AggregateName[] = ['sum', 'avg', 'count', 'max', 'min'];

/** Reads `::type`; returns an empty text if there is none. */
const optionalCast: Reader<string> = s => (s.accept('::') ? identifier(s) : '');

const itemEnd: Reader<true> = s => s.isAt(/[,)]|$/y) || s.fail('"," or the end');

/**
 * Parses the `order` parameter, one term or more: `order=name.desc,width.nullsfirst`. Directions and null positions that the
 * request omits are left to Postgres's defaults.
 */
export const parseOrder = (text: string): Result<OrderTerm[], ParseError> =>
  parseWhole('order', text, orderTerms);

type Ordering = Pick<OrderTerm, 'direction' | 'nulls'>;

const orderTerms: Reader<OrderTerm[]> = s => s.list(orderTerm, comma, limits.query.orderTerms);

const orderTerm: Reader<OrderTerm> = s => {
  s.skipBlanks();
  const name = fieldName(s);
  if (name === undefined) return undefined;
  if (s.accept('(')) {
    const inner = field(s);
    const rest = inner && s.expect(')') && ordering(s);
    return inner && rest && { field: inner, embedded: name, ...rest };
  }
  const column = withPath(name, s);
  const rest = column && ordering(s);
  return rest && { field: column, ...rest };
};

const ordering: Reader<Ordering> = s => {
  const direction = ['asc' as const, 'desc' as const].find(name => s.accept(`.${name}`));
  const nulls = ['first' as const, 'last' as const].find(name => s.accept(`.nulls${name}`));
  if (!s.isAt(/,|$/y)) return s.fail('.asc, .desc, .nullsfirst, .nullslast, "," or the end');
  return { ...(direction && { direction }), ...(nulls && { nulls }) };
};

/** Parses a plain list of one name or more: `columns=name,code`, `on_conflict=code`. Order and repetitions are kept. */
export const parseColumns = (
  parameter: 'columns' | 'on_conflict',
  text: string,
): Result<string[], ParseError> =>
  parseWhole(parameter, text, s => s.list(fieldName, comma, limits.query.listedColumns));
