/**
 * Estimates the size of a regular expression that Postgres compiles
 * (https://www.postgresql.org/docs/current/functions-matching.html#POSIX-SYNTAX-DETAILS). Postgres expands
 * repetitions: `(a{100}){100}` becomes 10,000 symbols. Anchors inside a repetition multiply the states of the
 * automaton until Postgres gives up, at 170 MB of memory.
 */
interface RegexSize {
  /** The symbols after the expansion of repetitions. */
  symbols: number;
  /** Anchors and look-arounds. */
  anchors: number;
  /** Whether a repetition contains an anchor. */
  repeatsAnchors: boolean;
}

interface Part {
  symbols: number;
  anchors: number;
}

const none: Part = { symbols: 0, anchors: 0 };
const symbol: Part = { symbols: 1, anchors: 0 };
const anchor: Part = { symbols: 1, anchors: 1 };

/** All tokens except bracket expressions, which `endOfSet` handles. */
const token =
  /\\(?<escape>.)?|(?<around>\(\?<?[=!])|(?<open>\((?:\?:)?)|(?<close>\))|\{(?<from>\d{1,9})(?<more>,(?<to>\d{0,9}))?\}|(?<repeat>[*+?])|(?<anchor>[\^$])|./suy;

/** Reads the expression once, from left to right. Postgres reports malformed expressions. */
export function sizeOfRegex(text: string): RegexSize {
  let repeatsAnchors = false;
  /** A stack of the open groups, each without its latest part. */
  const open: Part[] = [{ ...none }];
  /** The latest part, which a following quantifier would repeat. */
  let latest = none;

  const add = (part: Part): void => {
    const inside = open.at(-1) ?? { ...none };
    inside.symbols += latest.symbols;
    inside.anchors += latest.anchors;
    latest = part;
  };
  const close = (): void => {
    add(none);
    latest = open.pop() ?? none;
  };
  const repeat = (times: number): void => {
    repeatsAnchors ||= latest.anchors > 0;
    latest = { symbols: latest.symbols * Math.max(1, times), anchors: latest.anchors };
  };

  for (let at = 0; at < text.length; ) {
    if (text[at] === '[') {
      add(symbol);
      at = endOfSet(text, at);
      continue;
    }
    token.lastIndex = at;
    const groups = token.exec(text)?.groups ?? {};
    at = Math.max(at + 1, token.lastIndex);
    const opening = groups['open'] ?? groups['around'];
    if (opening !== undefined) {
      add(none);
      open.push({ symbols: 0, anchors: groups['around'] === undefined ? 0 : 1 });
    } else if (groups['close'] !== undefined && open.length > 1) {
      close();
    } else if (groups['from'] !== undefined) {
      const from = Number(groups['from']);
      repeat(groups['more'] === undefined ? from : Number(groups['to'] || from + 1));
    } else if (groups['repeat'] !== undefined) {
      repeat(1);
    } else {
      const isAnchor = groups['anchor'] !== undefined || /^[yYmMAZ]$/.test(groups['escape'] ?? '');
      add(isAnchor ? anchor : symbol);
    }
  }
  while (open.length > 0) {
    close();
  }
  return { ...latest, repeatsAnchors };
}

/** Returns the position after the bracket expression at `at`: `[]abc]`, `[^a-z]`, `[[:alpha:]_]`. */
function endOfSet(text: string, at: number): number {
  let end = at + (text[at + 1] === '^' ? 2 : 1);
  end += text[end] === ']' ? 1 : 0;
  while (end < text.length && text[end] !== ']') {
    const isClass = text[end] === '[' && '.:='.includes(text[end + 1] ?? ' ');
    const close = isClass ? text.indexOf(']', end + 2) : end;
    end = close < 0 ? text.length : close + 1;
  }
  return end + 1;
}
