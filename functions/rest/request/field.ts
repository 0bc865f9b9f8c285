/**
 * The grammar of column names with JSON paths, as in PostgREST
 * (https://docs.postgrest.org/en/stable/references/api/tables_views.html#json-columns), and of the filter keys made of
 * them. The plan stage checks whether such a column exists.
 */

import type { ParseError } from '../../common/failure/parse-error.ts';
import type { Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import type { Field, JsonStep } from './request.ts';
import { parseWhole, type Reader } from './scanner.ts';

/** What a filter's key names: a column of the collection, or one of an embedded resource (`items.name`). */
type FilterKey = { is: 'field'; field: Field } | { is: 'embedding'; name: string };

/** Parses the key of a filter, `name` or `customization->>team`. */
export const parseFilterKey = (text: string): Result<FilterKey, ParseError> =>
  parseWhole('tree path', text, filterKey);

export const delimiter: Reader<true> = s => s.string('.', 'delimiter (.)');

/** Reads one or more letters, digits, `_`, `$` and spaces. Surrounding spaces are trimmed. */
export const identifier: Reader<string> = s =>
  s.run(/ *[\p{L}0-9_$][\p{L}0-9_$ ]*/uy, 'letter', 'digit').trim() || undefined;

/** Reads `"anything"`, where a backslash escapes the next character. */
export const quotedValue: Reader<string> = s => {
  if (!s.string('"')) return undefined;
  let value = s.run(/[^\\"]*/uy);
  while (s.string('\\')) {
    const escaped = s.run(/./suy);
    if (escaped === '') return undefined;
    value += escaped + s.run(/[^\\"]*/uy);
  }
  return s.string('"') && value;
};

export const fieldName: Reader<string> = s =>
  s.labelled('field name (* or [a..z0..9_$])', () => s.firstOf(quotedValue, dashed(identifier)));

/** Parts of a name joined by dashes. A dash before `>` begins an arrow instead. */
const dashed =
  (part: Reader<string>): Reader<string> =>
  s =>
    s.separated(part, () => s.attempt(() => s.string('-') && s.notFollowedBy(/>/y, '">"')))?.join('-');

/** Reads a name and its JSON path, possibly empty. */
export const field: Reader<Field> = s =>
  s.spaced(() => {
    const name = fieldName(s);
    const path = name === undefined ? undefined : jsonPath(s);
    return name === undefined || path === undefined ? undefined : { name, path };
  });

const jsonPath: Reader<JsonStep[]> = s => {
  const path: JsonStep[] = [];
  for (let arrow = jsonArrow(s); arrow !== undefined; arrow = jsonArrow(s)) {
    const operand = s.attempt(jsonIndex) ?? s.attempt(jsonKey);
    if (operand === undefined) return undefined;
    if (path.length === limits.query.jsonSteps)
      return s.unexpected(`path of more than ${limits.query.jsonSteps} steps`);
    path.push({ arrow, operand });
  }
  return path;
};

const jsonArrow: Reader<JsonStep['arrow']> = s =>
  s.attempt(() => s.string('->>') && '->>') ?? s.attempt(() => s.string('->') && '->');

/** Reads an index. Digits followed by other characters are the beginning of a key: `->5k`. */
const jsonIndex: Reader<number> = s => {
  const sign = s.string('-') ? -1 : 1;
  const digits = s.run(/[0-9]*/y, 'digit');
  if (digits === '') return undefined;
  // Postgres indexes arrays with 32-bit integers.
  if (Number(digits) > 2_147_483_647) return s.unexpected('index beyond 2147483647');
  const ended = s.ahead('->') ?? s.ahead('::') ?? s.ahead('.') ?? s.ahead(',') ?? s.end();
  return ended && sign * Number(digits);
};

const jsonKey: Reader<string> = s =>
  s.labelled('any non reserved character different from: .,>()', () =>
    s.firstOf(
      quotedValue,
      dashed(() => {
        const part = s.run(/[^(\-:.,>)]*/uy);
        return part === '' ? undefined : part.trim();
      }),
    ),
  );

/**
 * Reads the numbers that clients such as react-admin's append to several filters of one column: `[0]`, `[1]`, … or, for three
 * and more, `[0][0]`, `[0][1]`, `[1]`. PostgREST ignores everything after the name; here only these numbers are allowed. Two
 * digits are enough for the number of filters that a request may have.
 */
const filterIndexes: Reader<true> = s => {
  do {
    if (!s.string('[') || s.run(/[0-9]/y, 'digit') === '') return undefined;
    s.run(/[0-9]{0,2}/y);
    if (!s.string(']')) return undefined;
  } while (s.ahead('['));
  return true;
};

const filterKey: Reader<FilterKey> = s => {
  const names = s.separated(fieldName, delimiter);
  const path = names && jsonPath(s);
  const name = names?.[0];
  if (path === undefined || name === undefined) return undefined;
  if (path.length === 0 && s.optional(filterIndexes, true) === undefined) return undefined;
  return names && names.length > 1 ? { is: 'embedding', name } : { is: 'field', field: { name, path } };
};
