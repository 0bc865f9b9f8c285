/** Lines → JSON objects, each printed on one line or over several, and the other lines as text. */

export type Piece = { object: Record<string, unknown> } | { text: string };

/**
 * Over several lines, an object must be as `JSON.stringify` indents it, and as wrangler prints it: it begins with the line
 * `{`, ends with the line `}`, and has neither in between. Everything that is no JSON object is returned unchanged.
 */
export async function* splitPieces(lines: AsyncIterable<string>): AsyncGenerator<Piece> {
  let open: string[] = [];
  for await (const line of lines) {
    if (open.length === 0 && line !== '{') {
      yield pieceOf(line);
      continue;
    }
    if (line === '{') {
      yield* asTexts(open);
      open = [];
    }
    open.push(line);
    if (line === '}') {
      yield pieceOf(open.join('\n'));
      open = [];
    }
  }
  yield* asTexts(open);
}

const asTexts = (lines: string[]): Piece[] => lines.map(text => ({ text }));

function pieceOf(text: string): Piece {
  if (!text.startsWith('{')) {
    return { text };
  }
  try {
    return { object: JSON.parse(text) };
  } catch {
    return { text };
  }
}
