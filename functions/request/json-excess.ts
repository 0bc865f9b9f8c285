/**
 * What a JSON text has too much of, found by one pass over its characters before anything is made of it. What stands in
 * its texts doesn't count. Whether it is JSON at all is for JSON.parse to say.
 */

import { limits } from '../common/limits.ts';
import type { Failure } from '../failure/failure.ts';
import { jsonExcesses } from './excess.ts';

const codeOf = (character: string): number => character.charCodeAt(0);
const [quote, backslash, dot, comma, zero, nine] = [
  codeOf('"'),
  codeOf('\\'),
  codeOf('.'),
  codeOf(','),
  codeOf('0'),
  codeOf('9'),
];
const [bracket, brace, endBracket, endBrace] = [codeOf('['), codeOf('{'), codeOf(']'), codeOf('}')];
const [smallE, capitalE, plus, minus] = [codeOf('e'), codeOf('E'), codeOf('+'), codeOf('-')];

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
      if (end - at > limits.body.numberLength) return jsonExcesses.numberLength;
      at = endOfDigits(json, exponent);
      if (at - exponent > limits.body.exponentDigits) return jsonExcesses.exponentDigits;
      at--;
    }
  }
  return undefined;
}

/** Where the text that begins at `start` ends; at the end of all where it doesn't. */
function closingQuote(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

const isDigit = (code: number): boolean => code >= zero && code <= nine;

/** Behind the digits that begin at `start`, and the dots among them. */
function endOfDigits(json: string, start: number): number {
  let end = start;
  while (isDigit(json.charCodeAt(end)) || json.charCodeAt(end) === dot) end++;
  return end;
}

/** Where the digits of the exponent begin, when there is one at `at`. */
function startOfExponent(json: string, at: number): number {
  const letter = json.charCodeAt(at);
  if (letter !== smallE && letter !== capitalE) return at;
  const sign = json.charCodeAt(at + 1);
  return at + (sign === plus || sign === minus ? 2 : 1);
}
