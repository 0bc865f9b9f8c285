/**
 * The grammars of lists of columns, in the parameters `select`, `order`, `columns` and `on_conflict`
 * (https://docs.postgrest.org/en/stable/references/api/tables_views.html).
 */

import type { ParseError } from '../../common/failure/parse-error.ts';
import type { Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { delimiter, field, fieldName, identifier } from './field.ts';
import type { AggregateName, OrderTerm, SelectItem } from './request.ts';
import { parseWhole, type Reader } from './scanner.ts';

/**
 * Parses the `select` parameter: `select=code,n:sort_order::text,customization->>team,sort_order.avg()`. An empty one selects
 * everything. Embedded resources are parsed so that an error can name them; their contents are dropped.
 */
export const parseSelect = (text: string): Result<SelectItem[], ParseError> =>
  parseWhole('select parameter', text, s => (text === '' ? [{ is: 'all' }] : selectItems(s)));

const aggregateNames: AggregateName[] = ['sum', 'avg', 'count', 'max', 'min'];

const selectItems: Reader<SelectItem[]> = s =>
  s.separated(
    () => s.firstOf<SelectItem>(embedding, () => s.spaced(column)),
    () => s.token(','),
    limits.query.outputs,
  );

const embedding: Reader<SelectItem> = s => {
  const name = s.attempt(() => s.spaced(spread)) ?? s.attempt(() => s.spaced(relation));
  return name !== undefined && s.nested(embedded) ? { is: 'embedding', name } : undefined;
};

const spread: Reader<string> = s => s.string('...') && relationName(s);

const relation: Reader<string> = s => {
  s.attempt(alias);
  const name = relationName(s);
  // `count()` is always the aggregate, even if a resource has this name.
  return name === 'count' ? undefined : name;
};

/** Reads the name of an embedded resource with up to two join hints; a parenthesis follows. */
const relationName: Reader<string> = s => {
  const name = fieldName(s);
  const hinted =
    name !== undefined && s.optional(hint, '') !== undefined && s.optional(hint, '') !== undefined;
  return hinted && s.ahead('(') ? name : undefined;
};

const hint: Reader<string> = s => s.string('!') && fieldName(s);

const embedded: Reader<SelectItem[]> = s => {
  const items = s.string('(') && s.optional(selectItems, []);
  return items && s.string(')') && items;
};

const column: Reader<SelectItem> = s => s.attempt(everything) ?? s.attempt(count) ?? plainColumn(s);

const everything: Reader<SelectItem> = s => s.string('*') && itemEnd(s) && { is: 'all' };

const count: Reader<SelectItem> = s => {
  const as = s.attempt(alias);
  const aggregateCast = s.string('count()') && s.optional(cast, '');
  if (aggregateCast === undefined || !itemEnd(s)) return undefined;
  return { is: 'count', ...(as !== undefined && { alias: as }), ...(aggregateCast && { aggregateCast }) };
};

const plainColumn: Reader<SelectItem> = s => {
  const as = s.attempt(alias);
  const source = field(s);
  const castTo = source && s.optional(cast, '');
  if (source === undefined || castTo === undefined) return undefined;
  const aggregate = s.attempt(aggregateCall);
  const aggregateCast = aggregate ? s.optional(cast, '') : '';
  if (aggregateCast === undefined || !itemEnd(s)) return undefined;
  return {
    is: 'field',
    field: source,
    ...(as !== undefined && { alias: as }),
    ...(castTo && { cast: castTo }),
    ...(aggregate && { aggregate }),
    ...(aggregateCast && { aggregateCast }),
  };
};

/** Reads `alias:`, as opposed to the cast `::`. */
const alias: Reader<string> = s => {
  const name = fieldName(s);
  return name !== undefined && s.string(':') && s.notFollowedBy(/:/y, '":"') ? name : undefined;
};

const cast: Reader<string> = s => s.string('::') && identifier(s);

const aggregateCall: Reader<AggregateName> = s => {
  const name = s.string('.') && s.oneOf(aggregateNames);
  return name && s.string('()') && name;
};

const itemEnd: Reader<true> = s => s.ahead(')') ?? s.ahead(',') ?? s.end();

/**
 * Parses the `order` parameter, one term or more: `order=name.desc,width.nullsfirst`. Directions and null positions that the
 * request omits are left to Postgres's defaults.
 */
export const parseOrder = (text: string): Result<OrderTerm[], ParseError> =>
  parseWhole('order', text, orderTerms);

type Ordering = Omit<Extract<OrderTerm, { is: 'field' }>, 'is' | 'field'>;

const orderTerms: Reader<OrderTerm[]> = s =>
  s.separated(
    () => s.spaced(() => s.firstOf<OrderTerm>(() => s.attempt(embeddedTerm), columnTerm)),
    () => s.string(','),
    limits.query.orderTerms,
  );

const embeddedTerm: Reader<OrderTerm> = s => {
  const name = fieldName(s);
  const inside = name !== undefined && s.string('(') && field(s) && s.string(')');
  return inside && ordering(s) ? { is: 'embedding', name } : undefined;
};

const columnTerm: Reader<OrderTerm> = s => {
  const column = field(s);
  const rest = column && ordering(s);
  return rest && { is: 'field', field: column, ...rest };
};

const ordering: Reader<Ordering> = s => {
  const direction = s.attempt(() => delimiter(s) && s.oneOf(['asc', 'desc']));
  const nulls = s.attempt(() => delimiter(s) && s.oneOf(['nullsfirst', 'nullslast']));
  if (!(s.ahead(',') ?? s.end())) return undefined;
  return {
    ...(direction && { direction }),
    ...(nulls && { nulls: nulls === 'nullsfirst' ? 'first' : 'last' }),
  };
};

/** Parses a plain list of one name or more: `columns=name,code`, `on_conflict=code`. Order and repetitions are kept. */
export const parseColumns = (
  parameter: 'columns' | 'on_conflict',
  text: string,
): Result<string[], ParseError> =>
  parseWhole(`${parameter} parameter`, text, s =>
    s.separated(fieldName, () => s.token(','), limits.query.listedColumns),
  );
