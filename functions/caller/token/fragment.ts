/**
 * Recognises a truncated token, for example one that was copied by hand or stored in a field that is too short, and the name
 * of a variable that Postman, Bruno or a generated client sends in place of a key or a token.
 */
import { decodeProtectedHeader } from 'jose';

/** Characters of a signature (RFC 7518, section 3.1, and RFC 8037). RS256 has more where the key has over 2048 bits. */
const signatureLengths = new Map<unknown, number>([
  ['HS256', 43],
  ['ES256', 86],
  ['EdDSA', 86],
  ['RS256', 342],
]);

/** Describes what is missing, as a sentence without its full stop. Undefined for a complete token and for other texts. */
export function describeFragment(text: string): string | undefined {
  const [, variable] = /^\{\{(\w{1,40})\}\}$/.exec(text) ?? [];
  if (variable !== undefined) {
    return `The variable ${variable} is not filled in`;
  }
  // A token begins with the base64url of `{"`.
  const [token, , signature] = /^eyJ[\w-]*(\.[\w-]*(?:\.([\w-]*))?)?$/.exec(text) ?? [];
  if (token === undefined) {
    return undefined;
  }
  if (signature === undefined) {
    return `The token is truncated: it has ${token.includes('.') ? 2 : 1} of its 3 parts`;
  }
  const length = signatureLengths.get(algorithmOf(token));
  return length !== undefined && signature.length < length
    ? `The token is truncated: its signature has ${signature.length} of ${length} characters`
    : undefined;
}

function algorithmOf(token: string): unknown {
  try {
    return decodeProtectedHeader(token).alg;
  } catch {
    return undefined;
  }
}
