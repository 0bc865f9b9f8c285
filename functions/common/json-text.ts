/** JSON as text. */

const backslash = '\\'.charCodeAt(0);

/** Returns the position of the quote that closes the string of JSON at `start`, or the end of the text. */
export function closingQuote(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
