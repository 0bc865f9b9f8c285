/**
 * Postgres's answers to simple queries: what arrives from the socket → Replies. See "Message Formats" in Postgres's
 * documentation: a message is a byte that says what it is, its length without that byte in four, and its contents.
 */
import { type DatabaseError, type Reply, type Row, unavailable } from './database.ts';

/** What a connection that is in use may be sent. */
const types = {
  rowDescription: 'T',
  dataRow: 'D',
  commandComplete: 'C',
  emptyQuery: 'I',
  error: 'E',
  ready: 'Z',
  notice: 'N',
  notification: 'A',
  parameter: 'S',
} as const;

const codeOf = Object.fromEntries(
  Object.entries(types).map(([name, letter]) => [name, letter.charCodeAt(0)]),
) as Record<keyof typeof types, number>;

/** Bytes of a message before its contents. */
const head = 5;

/** Bytes of a column behind its name: the table, the column there, the type, its size and modifier, the format. */
const columnTail = 4 + 2 + 4 + 2 + 4 + 2;

/** The length -1, of a null. */
const nullLength = 0xffffffff;

/** A byte order mark is part of a text. */
const utf8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
const toUtf8 = new TextEncoder();

/** Returns the message that asks a simple query, whose text must have no NUL. */
export function simpleQuery(text: string): Uint8Array {
  const message = toUtf8.encode(`Q\0\0\0\0${text}\0`);
  new DataView(message.buffer, message.byteOffset).setUint32(1, message.length - 1);
  return message;
}

type Refused = DatabaseError & { is: 'refused' };

export interface Answer {
  reply: Reply;
  /** Whether no other answer will follow it. */
  endsConnection: boolean;
}

/** Whatever ends a connection, its message may have been executed or not. */
const connectionClosed: Answer = { reply: unavailable('CONNECTION_CLOSED'), endsConnection: true };

/** The end of every answer: Postgres is ready, and in no transaction. */
const ready = [codeOf.ready, 0, 0, 0, 5, 'I'.charCodeAt(0)];

/** Whether nothing but whole answers has arrived, by the last bytes of it. */
export const isAtEnd = (lastBytes: Uint8Array): boolean =>
  lastBytes.length === ready.length && ready.every((byte, at) => lastBytes[at] === byte);

/** Reads all that arrives on one connection once it is open. */
export class ReplyReader {
  /** What has arrived of a message whose rest has not, and how many bytes that has at least. */
  #parts: Uint8Array[] = [];
  #missing = 0;
  /** The names of the columns of the statement whose rows arrive. The session's has none, and its row is no result. */
  #columns: string[] = [];
  /** Those of the last statement with columns. */
  #rows: Row[] = [];
  #error: Refused | undefined;

  /**
   * Reads what has arrived, and returns the answer that ends in it, if one does. One query has one answer, so what comes
   * behind it, as the reason why Postgres ends the connection, takes nothing from it. The bytes are not kept: of an
   * incomplete message a copy is.
   */
  read(chunk: Uint8Array): Answer | undefined {
    const bytes = this.#join(chunk);
    if (bytes === undefined) {
      return undefined;
    }
    let answer: Answer | undefined;
    let at = 0;
    while (at + head <= bytes.length) {
      const end = at + 1 + uint32(bytes, at + 1);
      if (end > bytes.length) {
        this.#keep(bytes.subarray(at), end - bytes.length);
        return answer;
      }
      const next = this.#readMessage(bytes[at] ?? 0, bytes, at + head, end);
      answer = answer && next ? { reply: answer.reply, endsConnection: true } : (answer ?? next);
      at = end;
    }
    if (at < bytes.length) {
      this.#keep(bytes.subarray(at), at + head - bytes.length);
    }
    return answer;
  }

  /** Returns what has arrived and was not read, or undefined when it is still incomplete: joining costs as much as is joined. */
  #join(chunk: Uint8Array): Uint8Array | undefined {
    if (this.#parts.length === 0) {
      return chunk;
    }
    this.#parts.push(chunk.slice());
    this.#missing -= chunk.length;
    if (this.#missing > 0) {
      return undefined;
    }
    const parts = this.#parts;
    this.#parts = [];
    const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }

  #keep(incomplete: Uint8Array, missing: number): void {
    this.#parts = [incomplete.slice()];
    this.#missing = missing;
  }

  #readMessage(type: number, bytes: Uint8Array, start: number, end: number): Answer | undefined {
    switch (type) {
      case codeOf.dataRow:
        if (this.#columns.length > 0) {
          this.#rows.push(readRow(this.#columns, bytes, start));
        }
        return undefined;
      case codeOf.rowDescription:
        this.#columns = readColumns(bytes, start);
        if (this.#columns.length > 0) {
          this.#rows = [];
        }
        return undefined;
      case codeOf.ready:
        return { reply: this.#takeReply(), endsConnection: false };
      case codeOf.error: {
        const { error, isFatal } = readError(bytes, start, end);
        this.#error ??= error;
        return isFatal ? connectionClosed : undefined;
      }
      case codeOf.commandComplete:
      case codeOf.emptyQuery:
      case codeOf.notice:
      case codeOf.notification:
      case codeOf.parameter:
        return undefined;
      default:
        return { reply: unavailable('PROTOCOL_VIOLATION'), endsConnection: true };
    }
  }

  /** Returns the reply, and begins the next one. */
  #takeReply(): Reply {
    const reply: Reply = this.#error ? { ok: false, error: this.#error } : { ok: true, rows: this.#rows };
    this.#rows = [];
    this.#error = undefined;
    return reply;
  }
}

/** Reads the names of a statement's columns. */
function readColumns(bytes: Uint8Array, start: number): string[] {
  const count = uint16(bytes, start);
  const columns: string[] = [];
  for (let at = start + 2; columns.length < count; ) {
    const end = bytes.indexOf(0, at);
    columns.push(utf8.decode(bytes.subarray(at, end)));
    at = end + 1 + columnTail;
  }
  return columns;
}

function readRow(columns: string[], bytes: Uint8Array, start: number): Row {
  const row: Row = {};
  let at = start + 2;
  for (const column of columns) {
    const length = uint32(bytes, at);
    at += 4;
    if (length === nullLength) {
      row[column] = null;
    } else {
      row[column] = utf8.decode(bytes.subarray(at, at + length));
      at += length;
    }
  }
  return row;
}

/** Reads the fields of an error, each a letter and a text. */
function readError(bytes: Uint8Array, start: number, end: number): { error: Refused; isFatal: boolean } {
  const fields: Record<string, string> = {};
  for (let at = start; at < end && bytes[at] !== 0; ) {
    const terminator = bytes.indexOf(0, at);
    fields[String.fromCharCode(bytes[at] ?? 0)] = utf8.decode(bytes.subarray(at + 1, terminator));
    at = terminator + 1;
  }
  const {
    C: sqlstate = '',
    M: message = '',
    D: details,
    H: hint,
    V: severity,
    n: constraint,
    c: column,
  } = fields;
  const error = {
    is: 'refused' as const,
    sqlstate,
    message,
    ...(details && { details }),
    ...(hint && { hint }),
    ...(constraint && { constraint }),
    ...(column && { column }),
  };
  return { error, isFatal: severity !== 'ERROR' };
}

const uint16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** Multiplies, since a shift by 16 makes a negative number of what is over 2³¹. */
const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 0x10000 + uint16(bytes, at + 2);
