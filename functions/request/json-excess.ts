/**
 * Finds the limit that a JSON text exceeds. It scans the characters once, before JSON.parse allocates anything, and
 * skips string contents. Malformed JSON is left to JSON.parse.
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

/** Returns the position of the quote that closes the string at `start`, or the end of the text. */
export function closingQuote(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
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
