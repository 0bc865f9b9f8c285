/**
 * The grammar of the `order` parameter: `order=name.desc,width.nullsfirst`
 * (https://docs.postgrest.org/en/stable/references/api/tables_views.html#ordering). Directions and null positions that
 * the request omits are left to Postgres's defaults.
 */
import { limits } from '../common/limits.ts';
import type { Result } from '../common/result.ts';
import type { ParseError } from '../failure/parse-error.ts';
import { delimiter, field, fieldName } from './field.ts';
import type { OrderTerm } from './request.ts';
import { parseWhole, type Reader } from './scanner.ts';

/** Parses the `order` parameter: one term or more. */
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
