/**
 * The Link header (RFC 8288) with the URL of the next page. When the order is unique, that page begins after the
 * keyset of this page's last row, so that concurrent inserts and deletes don't shift it. Otherwise, or when the keyset
 * is too long for a URL, it begins at an offset.
 */
import { limits } from '../common/limits.ts';
import type { PlannedOrder, ReadPlan } from '../plan/plan.ts';
import { decode } from '../request/query-string.ts';

/** Returns the Link header of a page. `last` is the keyset of the page's last row, a JSON array of texts. */
export function nextLink(plan: ReadPlan, last: string | null, url: URL): string | undefined {
  const { limit, offset } = plan.range;
  if (limit === 0) {
    return undefined;
  }
  const parameters = url.search
    .slice(1)
    .split(/[&;]/)
    .filter(part => part !== '' && !/^(?:limit|offset)=/.test(decode(part)));
  const { keyset = [] } = plan;
  // No comparison finds a null, which only the database's owner can have written into a column of a keyset.
  const values: (string | null)[] = last === null ? [null] : JSON.parse(last);
  const behind = values.every(value => value !== null) ? keysetFilter(keyset, values) : undefined;
  const next =
    behind !== undefined && behind.length <= limits.query.keyset
      ? [...parameters.filter(part => !isKeyset(part, keyset)), behind]
      : [...parameters, `offset=${offset + limit}`];
  return `<${url.pathname}?${[...next, `limit=${limit}`].join('&')}>; rel="next"`;
}

const comparison = ({ direction }: PlannedOrder): string => (direction === 'desc' ? 'lt' : 'gt');

/**
 * Writes the filter `id=gt.5`, or of several columns `and=(sport.gte."golf",or(sport.gt."golf",id.gt."5"))`. By its
 * first part Postgres finds the place in an index.
 */
function keysetFilter(keyset: PlannedOrder[], values: string[]): string {
  const [first] = keyset;
  return keyset.length === 1 && first
    ? `${first.field.column}=${comparison(first)}.${encodeURIComponent(values[0] ?? '')}`
    : encodeURIComponent(beyond(keyset, values)).replace(/^and/, 'and=');
}

/** Returns the condition of the rows behind these values; nested once for each further column. */
function beyond([first, ...others]: PlannedOrder[], [value, ...further]: string[]): string {
  if (first === undefined) {
    return '';
  }
  const { column } = first.field;
  const compared = (operator: string): string => `${column}.${operator}.${quoted(value)}`;
  const isBeyond = compared(comparison(first));
  return others.length === 0
    ? isBeyond
    : `and(${compared(`${comparison(first)}e`)},or(${isBeyond},${beyond(others, further)}))`;
}

const quoted = (value = ''): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/**
 * Whether a parameter is the keyset of an earlier page. It is replaced, so that links don't grow. A client's own
 * filter of the same shape may be replaced too, since the new keyset implies it.
 */
function isKeyset(parameter: string, keyset: PlannedOrder[]): boolean {
  const shape = (text: string): string => decode(text).replace(/"(?:[^"\\]|\\.)*"?/gs, '""');
  const [first] = keyset;
  return keyset.length === 1 && first
    ? parameter.startsWith(`${first.field.column}=${comparison(first)}.`)
    : shape(parameter) === shape(keysetFilter(keyset, []));
}
