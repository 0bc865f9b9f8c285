/** How any text gets into a URL and into a header. */

/** Lone surrogates as the three bytes that UTF-8 has no use for. */
export const percentEncoded = (text: string): string =>
  Array.from(text, character => {
    const code = character.codePointAt(0) ?? 0;
    return code >= 0xd800 && code <= 0xdfff
      ? `%ED%${(0x80 | ((code >> 6) & 0x3f)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`
      : encodeURIComponent(character);
  }).join('');

/** No more than what would not be sent. */
export const barelyEncoded = (text: string): string =>
  text.replace(/[^\x21-\x7e\x80-\xff]|#/gu, character => percentEncoded(character)).slice(0, 12_000);

/** What a header can carry: bytes without control characters. Others go as UTF-8. */
export const headerText = (text: string): string =>
  Buffer.from(text.toWellFormed())
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 4000);
