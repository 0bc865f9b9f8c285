/** Finds what exceeds a limit of functions/common/limits.ts in a body: in its JSON, its rows and its columns. */

import type { Failure } from '../../common/failure/failure.ts';
import { closingQuote } from '../../common/json-text.ts';
import { limits } from '../../common/limits.ts';
import { shorten } from '../../common/text.ts';
import { tooMany } from './query-excess.ts';

export const tooManyRows = tooMany('rows in its body', limits.body.rows);

export const tooManyColumns = tooMany(
  'columns in its body',
  limits.body.columns,
  'Send only columns of the collection.',
);

export const tooLongRows = tooMany(
  'characters in its rows, including the column names of each',
  limits.body.csvAsJson,
  'Send fewer rows at a time, or omit empty columns.',
);

/** The limits of a JSON text. */
export const jsonExcesses = {
  levels: tooMany(
    'levels of nesting in its body',
    limits.body.levels,
    'Nest its lists and objects less deeply, or send the innermost ones as text.',
  ),
  lists: tooMany(
    'lists and objects in its body',
    limits.body.lists,
    'Send fewer rows at a time, or smaller ones.',
  ),
  values: tooMany('values in its body', limits.body.values, 'Send fewer rows at a time, or smaller ones.'),
} as const;

/** The failure of a body that is JSON but not rows. */
export const notRows = (details?: string): Failure => ({
  is: 'invalid body',
  message: 'The body must be an object or an array of objects',
  ...(details !== undefined && { details }),
});

const codeOf = (character: string): number => character.charCodeAt(0);
const [quote, dot, comma, colon, zero, nine] = [
  codeOf('"'),
  codeOf('.'),
  codeOf(','),
  codeOf(':'),
  codeOf('0'),
  codeOf('9'),
];
const [bracket, brace, endBracket, endBrace] = [codeOf('['), codeOf('{'), codeOf(']'), codeOf('}')];
const [smallE, capitalE, plus, minus] = [codeOf('e'), codeOf('E'), codeOf('+'), codeOf('-')];

/**
 * Returns the limit that a JSON text exceeds. It scans the characters once, before JSON.parse allocates anything, and
 * skips string contents. Malformed JSON is left to JSON.parse.
 */
export function findJsonExcess(json: string): Failure | undefined {
  let level = 0;
  let lists = 0;
  let commas = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = closingQuote(json, at);
    } else if (code === bracket || code === brace) {
      level++;
      lists++;
      if (level > limits.body.levels) return jsonExcesses.levels;
      if (lists > limits.body.lists) return jsonExcesses.lists;
    } else if (code === comma) {
      commas++;
      if (commas >= limits.body.values) return jsonExcesses.values;
    } else if (code === endBracket || code === endBrace) {
      level--;
    } else if (isDigit(code)) {
      const end = endOfDigits(json, at);
      const exponent = startOfExponent(json, end);
      const isLong = end - at > limits.body.numberLength;
      const start = at;
      at = endOfDigits(json, exponent);
      if (isLong || at - exponent > limits.body.exponentDigits) return longNumber(json, start, at);
      at--;
    }
  }
  return undefined;
}

/** Returns the failure of a number with too many digits, with the path of its field. */
function longNumber(json: string, start: number, end: number): Failure {
  const path = pathAt(json, start);
  const row = typeof path[0] === 'number' ? { row: path.shift() as number } : {};
  const field = path.join('.');
  if (field === '') {
    return notRows();
  }
  const { numberLength, exponentDigits } = limits.body;
  return {
    is: 'invalid fields',
    issues: [
      {
        ...row,
        path: shorten(field, limits.body.shownPath),
        expected: `a number of at most ${numberLength} characters, with an exponent of at most ${exponentDigits} digits`,
        received: shorten(
          json.slice(json[start - 1] === '-' ? start - 1 : start, end),
          limits.body.shownValue,
        ),
        sqlstate: '22003',
      },
    ],
  };
}

/** Returns the keys and indexes that lead to the value at `end` of a JSON text, which may be malformed. */
function pathAt(json: string, end: number): (string | number)[] {
  const path: (string | number)[] = [];
  // As it is written. Decoded only at the end, and once, or many colons after a long key would decode it many times.
  let key = '';
  for (let at = 0; at < end; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      const start = at;
      at = closingQuote(json, at);
      key = json.slice(start, at + 1);
    } else if (code === colon && path.length > 0) {
      path[path.length - 1] = key;
      key = '';
    } else if (code === bracket || code === brace) {
      path.push(code === bracket ? 0 : '');
    } else if (code === endBracket || code === endBrace) {
      path.pop();
    } else if (code === comma && path.length > 0) {
      const last = path.at(-1);
      path[path.length - 1] = typeof last === 'number' ? last + 1 : '';
    }
  }
  return path.map(step => (typeof step === 'number' ? step : readKey(step)));
}

/** Returns a key without its quotes and escapes; as it is written when its escapes are malformed. */
function readKey(json: string): string {
  try {
    return JSON.parse(json);
  } catch {
    return json.slice(1, -1);
  }
}

const isDigit = (code: number): boolean => code >= zero && code <= nine;

/** Returns the position after the digits and dots that begin at `start`. */
function endOfDigits(json: string, start: number): number {
  let end = start;
  while (isDigit(json.charCodeAt(end)) || json.charCodeAt(end) === dot) end++;
  return end;
}

/** Returns where the digits of the exponent at `at` begin; `at` itself when there is no exponent. */
function startOfExponent(json: string, at: number): number {
  const letter = json.charCodeAt(at);
  if (letter !== smallE && letter !== capitalE) return at;
  const sign = json.charCodeAt(at + 1);
  return at + (sign === plus || sign === minus ? 2 : 1);
}
