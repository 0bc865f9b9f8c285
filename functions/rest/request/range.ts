/**
 * The requested page: the intersection of `limit` and `offset` with the Range header, as in PostgREST. Values that are
 * not numbers are ignored.
 */

import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import type { Range } from './request.ts';

interface Bounds {
  first: number;
  /** The last row's index; infinite without a limit. */
  last: number;
}

const notSatisfiable = (details: string): Result<Range> => fail<Failure>({ is: 'invalid range', details });

export function parseRange(
  limitText?: string,
  offsetText?: string,
  rangeHeader?: string | null,
): Result<Range> {
  const limit = toInteger(limitText);
  const offset = Math.max(0, toInteger(offsetText) ?? 0);
  if (limit !== undefined && limit < 0) {
    return notSatisfiable('Limit should be greater than or equal to zero.');
  }
  if (limit === 0 && offset === 0) {
    return ok({ offset, limit });
  }
  const header = parseRangeHeader(rangeHeader);
  if (header.last < header.first) {
    return notSatisfiable(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    );
  }
  const first = Math.max(header.first, offset);
  const last = Math.min(header.last, limit === undefined ? Number.POSITIVE_INFINITY : offset + limit - 1);
  if (last < first) {
    return notSatisfiable('Limit, offset and the Range header have no row in common.');
  }
  return ok(
    last === Number.POSITIVE_INFINITY ? { offset: first } : { offset: first, limit: last - first + 1 },
  );
}

/** Parses `0-9` or `10-` (RFC 9110, section 14, with items as the unit); any other header means all rows. */
function parseRangeHeader(header: string | null | undefined): Bounds {
  const [, first, last] = /^(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  return {
    first: toInteger(first) ?? 0,
    last: toInteger(last) ?? Number.POSITIVE_INFINITY,
  };
}

/** More rows than any table has. Larger numbers are lowered to it, so that sums stay exact. */
const largest = 2 ** 50;

function toInteger(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*-?\d+\s*$/.test(text)) {
    return undefined;
  }
  return Math.max(-1, Math.min(Number(text), largest));
}
