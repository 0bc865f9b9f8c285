/** Lines → the JSON objects among them, each on a line of its own or printed over several, and the other lines. */

export type Piece = { object: Record<string, unknown> } | { text: string };

/**
 * Takes JSON as `JSON.stringify` prints it with an indent (wrangler does): it begins with a line `{` and ends with a
 * line `}`, and no line between is one of the two. What isn't an object of JSON comes out as it came in.
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
