/**
 * Properties of a body that JSON.parse loses but Postgres depends on: the spelling of numbers (`1e3` is not an integer
 * there), and texts that Postgres cannot store.
 */
import type { Collection } from '../../../schema/collection.ts';
import { postgresType } from '../../../schema/postgres-types.ts';
import { closingQuote } from '../../common/json-text.ts';
import type { Body, BodyRow } from '../request/request.ts';

/** Returns the rows, with each number of these columns as its text in the body. */
export function rowsAsWritten(
  body: Body,
  columns: string[],
  { columns: all }: Pick<Collection, 'columns'>,
): BodyRow[] {
  const beginningOf = (name: string): RegExp | undefined =>
    postgresType(all[name]?.type.postgres ?? 'text').inexact;
  const names = columns.filter(beginningOf);
  if (!names.some(name => mayDiffer(body.json, name, beginningOf(name)))) {
    return body.rows;
  }
  const parsed = JSON.parse(quoteNumbers(body.json));
  const written: BodyRow[] = Array.isArray(parsed) ? parsed : [parsed];
  return body.rows.map((row, index) => {
    const numbers = names.filter(name => typeof row[name] === 'number');
    return numbers.length === 0
      ? row
      : { ...row, ...Object.fromEntries(numbers.map(name => [name, written[index]?.[name]])) };
  });
}

/** Whether a member with this name may have this beginning. Names may contain escapes. */
function mayDiffer(json: string, name: string, beginning: RegExp | undefined): boolean {
  if (beginning === undefined || json.includes('\\u')) {
    return beginning !== undefined;
  }
  const key = `"${name}"`;
  for (let at = json.indexOf(key); at >= 0; at = json.indexOf(key, at + 1)) {
    beginning.lastIndex = at + key.length;
    if (beginning.test(json)) {
      return true;
    }
  }
  return false;
}

const isOfNumber = (character: string | undefined): boolean =>
  character !== undefined && '0123456789+-.eE'.includes(character);

/** Puts every number of a JSON text into quotes. */
function quoteNumbers(json: string): string {
  let quoted = '';
  let copied = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at] ?? '';
    if (character === '"') {
      at = closingQuote(json, at);
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      const start = at;
      while (isOfNumber(json[at + 1])) {
        at++;
      }
      quoted += `${json.slice(copied, start)}"${json.slice(start, at + 1)}"`;
      copied = at + 1;
    }
  }
  return quoted + json.slice(copied);
}

/** A NUL or an unpaired surrogate. JSON can express both as escapes, but Postgres stores neither. */
const unstorable = /[\0\p{Surrogate}]/u;

/** Returns the path of the first text within a value that Postgres cannot store, if any. */
export function findUnstorable(value: unknown, path: string): Unstorable | undefined {
  if (typeof value === 'string') {
    return unstorableIn(value, path);
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  for (const [key, inner] of Object.entries(value)) {
    const found = unstorableIn(key, path, true) ?? findUnstorable(inner, `${path}.${key}`);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

interface Unstorable {
  path: string;
  /** Whether it is a key of the object at this path. */
  isKey: boolean;
  /** Postgres's own code: for a NUL in a text, or for an unpaired surrogate, which it treats as invalid JSON. */
  sqlstate: '22P05' | '22P02';
}

const unstorableIn = (text: string, path: string, isKey = false): Unstorable | undefined =>
  unstorable.test(text) ? { path, isKey, sqlstate: text.includes('\0') ? '22P05' : '22P02' } : undefined;

/** Whether a body may contain such a text. Only escapes are possible: the characters themselves are refused earlier. */
export const mayBeUnstorable = ({ json }: Body): boolean => /\\u(?:0000|d[89a-f])/i.test(json);
