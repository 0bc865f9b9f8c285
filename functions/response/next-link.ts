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
  const behind = last === null ? undefined : keysetFilter(keyset, JSON.parse(last));
  const next =
    behind !== undefined && behind.length <= limits.query.keyset
      ? [...parameters.filter(part => !isKeyset(part, keyset)), behind]
      : [...parameters, `offset=${offset + limit}`];
  return `<${url.pathname}?${[...next, `limit=${limit}`].join('&')}>; rel="next"`;
}

const comparison = ({ direction }: PlannedOrder): string => (direction === 'desc' ? 'lt' : 'gt');

/** Writes the filter `id=gt.5`, or of several columns `or=(sport.gt."golf",and(sport.eq."golf",id.gt."5"))`. */
function keysetFilter(keyset: PlannedOrder[], values: string[]): string {
  const [first] = keyset;
  if (keyset.length === 1 && first) {
    return `${first.field.column}=${comparison(first)}.${encodeURIComponent(values[0] ?? '')}`;
  }
  const terms = keyset.map((term, index) => {
    const equal = keyset.slice(0, index).map(({ field }, at) => `${field.column}.eq.${quoted(values[at])}`);
    const beyond = `${term.field.column}.${comparison(term)}.${quoted(values[index])}`;
    return index === 0 ? beyond : `and(${[...equal, beyond].join(',')})`;
  });
  return `or=${encodeURIComponent(`(${terms.join(',')})`)}`;
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
