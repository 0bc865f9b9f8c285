/** Failures of requests that exceed a limit of functions/common/limits.ts. */
import { limits } from '../common/limits.ts';
import type { Failure } from '../failure/failure.ts';

export const tooMany = (what: string, limit: number, hint?: string): Failure => ({
  is: 'too complex',
  what,
  limit,
  ...(hint !== undefined && { hint }),
});

export const isTooLong = (header: string | null): boolean =>
  header !== null && header.length > limits.request.header;

export const tooManyRows = tooMany('rows in its body', limits.body.rows);

export const tooManyColumns = tooMany(
  'columns in its body',
  limits.body.columns,
  'Send the columns of the collection alone.',
);

export const tooLongRows = tooMany(
  'characters in its rows, counted with the name of each column',
  limits.body.csvAsJson,
  'Send fewer rows at a time, or leave out columns that are empty.',
);

/** The limits that json-excess.ts checks. */
export const jsonExcesses = {
  levels: tooMany(
    'levels of nesting in its body',
    limits.body.levels,
    'Nest its lists and objects less deeply, or send the innermost as a text.',
  ),
  lists: tooMany(
    'lists and objects in its body',
    limits.body.lists,
    'Send fewer rows at a time, or less in each.',
  ),
  values: tooMany('values in its body', limits.body.values, 'Send fewer rows at a time, or less in each.'),
  numberLength: tooMany(
    'characters in a number of its body',
    limits.body.numberLength,
    'Round the number, or send it as a text.',
  ),
  exponentDigits: tooMany(
    'digits in the exponent of a number of its body',
    limits.body.exponentDigits,
    'Round the number, or send it as a text.',
  ),
} as const;
