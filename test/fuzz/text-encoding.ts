/** Encodes any text for URLs and headers. */

/** Encodes lone surrogates as three bytes, which are invalid UTF-8. */
export const percentEncoded = (text: string): string =>
  Array.from(text, character => {
    const code = character.codePointAt(0) ?? 0;
    return code >= 0xd800 && code <= 0xdfff
      ? `%ED%${(0x80 | ((code >> 6) & 0x3f)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`
      : encodeURIComponent(character);
  }).join('');

/** Encodes only the characters that could not be sent, or that workerd refuses before the worker runs. */
export const barelyEncoded = (text: string): string =>
  text.replace(/[^\x21-\x7e]|[#"<>`]/gu, character => percentEncoded(character)).slice(0, 12_000);

/** A header value: bytes without control characters. Other characters are sent as UTF-8. */
export const headerText = (text: string): string =>
  Buffer.from(text.toWellFormed())
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 4000);
