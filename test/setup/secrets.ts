/** Finds what must not be in the log or in errors: keys, tokens, passwords, statements, stacks, and data of requests. */
import { collections } from '../../schema/collections.ts';

/** Parts of the service's statements that no request or message contains by chance. */
const statementPieces =
  /set_config\(|json_agg\(|json_populate_record|json_to_record|page_total|expect_number\(|octet_length\(body|run_once\(|refuse_response\(|over so_far|"builder"\."|\b(?:from|into|update|join) builder\.|\breturning "|\bwith found as\b/i;

/** The first part of a statement in a text, if there is one. */
export const findSql = (text: string): string | undefined => statementPieces.exec(text)?.[0];

const stackFrame = /\n\s+at .*:\d+:\d+/;

/** Quotes and ends of lines in JSON. */
const unescaped = (json: string): string => json.replaceAll('\\"', '"').replaceAll('\\n', '\n');

/** The log's own words. In a request they are ignored, since finding one in the log would prove nothing. */
const ownWords = [
  ...[
    'request',
    'sweep',
    'crash',
    'next_quote_number',
    'anon',
    'customer',
    'staff',
    'service',
    'undefined',
    'terms_digest',
  ],
  ...collections.flatMap(({ name, columns }) => [name, ...Object.keys(columns)]),
];

/** Shorter secrets would be found in texts by chance. */
const shortest = 8;

const privateHeaders = ['apikey', 'authorization', 'cookie', 'idempotency-key'];

/** Finds secrets in a text, and returns their names. */
export class Secrets {
  readonly #secrets = new Map<string, string>();
  /** By their beginning, so that a long log is searched for all of them in one pass. */
  readonly #brought = new Map<string, Set<string>>();

  add(name: string, secret: string): void {
    if (secret.length >= shortest) {
      this.#secrets.set(secret, name);
    }
  }

  /** Adds a request's query values, credentials, and the texts and keys of its body: errors may contain them, the log must not. */
  addRequest(search: string, headers: Headers, body: unknown): void {
    const given = privateHeaders.map(name => headers.get(name)?.replace(/^Bearer +/i, '') ?? '');
    for (const value of [...new URLSearchParams(search).values(), ...given, ...textsOf(body)]) {
      if (value.length >= shortest && !ownWords.includes(value)) {
        const beginning = value.slice(0, shortest);
        this.#brought.set(beginning, (this.#brought.get(beginning) ?? new Set()).add(value));
      }
    }
  }

  /** Returns what a log has that it must not, each with the lines that have it. */
  inLog(lines: readonly string[]): string[] {
    if (this.#in(lines).length === 0) {
      return [];
    }
    const found = lines.flatMap(line => this.#in([line]).map(what => `${what}, in ${line}`));
    // A text of several lines is in none of them.
    return found.length > 0 ? found : this.#in(lines);
  }

  /** Searches all lines at once, since a log is long. */
  #in(lines: readonly string[]): string[] {
    const printed = lines.join('\n');
    const log = unescaped(printed);
    // The path is the client's, and may look like SQL.
    const sql = findSql(unescaped(printed.replace(/"path":"(?:[^"\\]|\\.)*"|\bpath: (['"`]).*?\1/g, 'path')));
    return [
      ...this.#named(log),
      // The account of a caller whose request failed, and the row that it named, which its own rows and filters have too.
      ...this.#broughtIn(
        log.replace(/"(?:account|row_id)":"[^"]*"|\b(?:account|row_id): '[^']*'/g, 'account'),
      ).map(value => `of a request: ${JSON.stringify(value)}`),
      ...(sql === undefined ? [] : [`SQL: ${sql}`]),
    ];
  }

  inError(answered: string): string[] {
    const text = unescaped(answered);
    const sql = findSql(text);
    return [
      ...this.#named(text),
      ...(sql === undefined ? [] : [`SQL: ${sql}`]),
      ...(stackFrame.test(text) ? ['a stack'] : []),
    ];
  }

  #broughtIn(log: string): string[] {
    const found = new Set<string>();
    for (let at = 0; at <= log.length - shortest; at++) {
      for (const value of this.#brought.get(log.slice(at, at + shortest)) ?? []) {
        if (log.startsWith(value, at)) {
          found.add(value);
        }
      }
    }
    return [...found];
  }

  #named(text: string): string[] {
    return [...this.#secrets].filter(([secret]) => text.includes(secret)).map(([, name]) => name);
  }
}

function textsOf(body: unknown): string[] {
  if (typeof body !== 'string') {
    return [];
  }
  try {
    return inside(JSON.parse(body));
  } catch {
    return [body];
  }
}

const inside = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [key, ...inside(inner)])
      : [];
