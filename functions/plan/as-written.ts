/**
 * What JSON.parse loses of a body and Postgres reads: how numbers are written (`1e3` is no integer there), and texts that no
 * value can hold.
 */
import type { Collection } from '../../schema/collection.ts';
import { closingQuote } from '../request/excess.ts';
import type { Body, BodyRow } from '../request/request.ts';

/** By type: how a member begins whose number Postgres may read otherwise than JavaScript does. */
const beginnings: Record<string, RegExp> = {
  integer: /\s*:\s*-?\d+[.eE]/y,
  bigint: /\s*:\s*-?(?:\d{16}|\d+[.eE])/y,
  boolean: /\s*:\s*-?\d+[.eE]/y,
  numeric: /\s*:\s*-?\d+(?:\.\d+)?[eE]/y,
};

/** Returns the rows with each number of these columns as the text that the body has. */
export function rowsAsWritten(body: Body, columns: string[], { columns: all }: Collection): BodyRow[] {
  const beginningOf = (name: string): RegExp | undefined => beginnings[all[name]?.type.postgres ?? ''];
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

/** Whether a member of this name may begin so. Names may be written with escapes. */
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

/** A NUL, or half of a surrogate pair: JSON can write both as escapes, and Postgres stores neither. */
const unstorable = /[\0\p{Surrogate}]/u;

/** Returns the path to the first text within a value that cannot be stored, if there is one. */
export function findUnstorable(value: unknown, path: string): Unstorable | undefined {
  if (typeof value === 'string') {
    return unstorableIn(value, path);
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  for (const [key, inner] of Object.entries(value)) {
    const found = unstorableIn(key, path) ?? findUnstorable(inner, `${path}.${key}`);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

export interface Unstorable {
  path: string;
  /** Postgres's own: it has no NUL in any text, and takes half a surrogate pair for invalid JSON. */
  sqlstate: '22P05' | '22P02';
}

const unstorableIn = (text: string, path: string): Unstorable | undefined =>
  unstorable.test(text) ? { path, sqlstate: text.includes('\0') ? '22P05' : '22P02' } : undefined;

/** Whether a body may have such a text: the characters themselves do not arrive, only their escapes. */
export const mayBeUnstorable = ({ json }: Body): boolean => /\\u(?:0000|d[89a-f])/i.test(json);
