/** Text as people type and paste it: digits of any script, and letters that can't be seen. */

/**
 * What has no width: soft hyphens, zero-width spaces, byte order marks and marks of direction. The joiners of Persian and
 * of India's scripts stay, since they change what is seen.
 */
const invisible = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** Returns a text without what can't be seen in it. */
export const withoutInvisible = (text: string): string => text.replaceAll(invisible, '');

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** Returns the value of a digit. Unicode has the ten digits of a script in a row, from zero on. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (isDigit(zero - 1)) {
    zero -= 1;
  }
  return String((code - zero) % 10);
}

/** Returns a text with usual digits and signs: ٧, ۷, ७ and the ７ of an input method are 7. */
export const withPlainDigits = (text: string): string =>
  withoutInvisible(text)
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, digitValue);

/** Returns the digits of a text. */
export const digitsOf = (text: string): string => withPlainDigits(text).replaceAll(/\D/g, '');
