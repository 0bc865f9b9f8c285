/**
 * The grammar of column names with JSON paths, as in PostgREST
 * (https://docs.postgrest.org/en/stable/references/api/tables_views.html#json-columns), and of the filter keys made of
 * them. The plan stage checks whether such a column exists.
 */

import type { ParseError } from '../../common/failure/parse-error.ts';
import type { Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import type { Field, JsonStep } from './request.ts';
import { parseWhole, type Reader, type Scanner } from './scanner.ts';

/** What a filter's key names: a column, of the collection or of embedded rows (`items.name`). */
interface FilterKey {
  /** The names of the embeddings that lead to the column. */
  embedded: string[];
  field: Field;
}

/** Parses the key of a filter, `name` or `customization->>team`. */
export const parseFilterKey = (text: string): Result<FilterKey, ParseError> =>
  parseWhole('name', text, filterKey);

/** Parses names with dots between them: `items.order`. */
export const parseNames = (text: string): Result<string[], ParseError> =>
  parseWhole('name', text, s => s.list(fieldName, /\./y));

/** Reads one or more letters, digits, `_`, `$` and spaces. Surrounding spaces are trimmed. */
export const identifier: Reader<string> = s =>
  s.take(/ *[\p{L}0-9_$][\p{L}0-9_$ ]*/uy)?.trim() ?? s.fail('a name');

/** Reads `"anything"`, where a backslash escapes the next character. */
export const quotedValue: Reader<string> = s => {
  const text = s.expect('"') && s.take(/[^\\"]*(?:\\.[^\\"]*)*/suy);
  return text !== undefined && s.expect('"') ? text.replaceAll(/\\(.)/gsu, '$1') : undefined;
};

/** Reads a name: in quotes, or identifiers joined by dashes. */
export const fieldName: Reader<string> = s =>
  s.isAt(/"/y) ? quotedValue(s) : s.list(identifier, dash)?.join('-');

/** Matches a dash; before `>` it begins an arrow instead. */
const dash = /-(?!>)/y;

/** Reads a name and its JSON path, possibly empty, and the spaces and tabs around it. */
export const field: Reader<Field> = s => {
  s.skipBlanks();
  const name = fieldName(s);
  return name === undefined ? undefined : withPath(name, s);
};

/** Reads the JSON path after a name, and the spaces and tabs after it. */
export function withPath(name: string, s: Scanner): Field | undefined {
  const path = jsonPath(s);
  s.skipBlanks();
  return path && { name, path };
}

const jsonPath: Reader<JsonStep[]> = s => {
  const path: JsonStep[] = [];
  for (let arrow = s.take(/->>?/y); arrow !== undefined; arrow = s.take(/->>?/y)) {
    if (path.length === limits.query.jsonSteps)
      return s.fail(`a path of at most ${limits.query.jsonSteps} steps`);
    const operand = s.attempt(jsonIndex) ?? jsonKey(s);
    if (operand === undefined) return undefined;
    path.push({ arrow: arrow as JsonStep['arrow'], operand });
  }
  return path;
};

/** Reads an index. Digits followed by other characters are the beginning of a key: `->5k`. */
const jsonIndex: Reader<number> = s => {
  const index = Number(s.take(/-?[0-9]+/y));
  // Postgres indexes arrays with 32-bit integers.
  return Math.abs(index) <= 2_147_483_647 && s.isAt(/->|::|[.,]|$/y) ? index : undefined;
};

const jsonKey: Reader<string> = s =>
  s.isAt(/"/y)
    ? quotedValue(s)
    : s.list(() => s.take(/[^(\-:.,>)]+/uy)?.trim() ?? s.fail('a key or an index'), dash)?.join('-');

/**
 * Matches the numbers that clients such as react-admin's append to several filters of one column: `[0]`, `[1]`, … or, for three
 * and more, `[0][0]`, `[0][1]`, `[1]`. PostgREST ignores everything after the name; here only these numbers are allowed. Three
 * digits are enough for the number of filters that a request may have.
 */
const filterIndexes = /(?:\[[0-9]{1,3}\])*/y;

const filterKey: Reader<FilterKey> = s => {
  const names = s.list(fieldName, /\./y);
  const path = names && jsonPath(s);
  const name = names?.pop();
  if (path === undefined || name === undefined) return undefined;
  if (path.length === 0) s.take(filterIndexes);
  return names && { embedded: names, field: { name, path } };
};
