/**
 * The grammar of the `select` parameter: `select=code,n:sort_order::text,customization->>team,sort_order.avg()`
 * (https://docs.postgrest.org/en/stable/references/api/tables_views.html#vertical-filtering). Embedded resources are
 * parsed so that an error can name them; their contents are dropped.
 */
import { limits } from '../common/limits.ts';
import type { Result } from '../common/result.ts';
import type { ParseError } from '../failure/parse-error.ts';
import { field, fieldName, identifier } from './field.ts';
import type { AggregateName, SelectItem } from './request.ts';
import { parseWhole, type Reader } from './scanner.ts';

/** Parses the `select` parameter; an empty one selects everything. */
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
