/**
 * Postgres's simple-query protocol: the bytes of a message, and its reply as data. The connections of a pool use it after
 * the driver has connected and authenticated, because the driver's work for each query takes 5 to 10 % of a request's CPU.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { Buffer } from 'node:buffer';
import { type DatabaseError, type Reply, type Row, refused, unavailable } from './database.ts';
import { databaseLimits } from './database-limits.ts';

/** Bytes of a part before its content: its type, and its length, in which the type does not count. */
const headerBytes = 5;

/** Types of the parts of a reply. The others (notices, changed parameters, command tags) are of no use here. */
const [rowDescription, dataRow, errorResponse, readyForQuery] = Buffer.from('TDEZ');

/** The last part of a reply; `I`: no transaction is open, and no message leaves one. */
const ready = Buffer.from('Z\0\0\0\x05I');

/** Returns the bytes that execute the statements of a text. It must not have a NUL, which would end it. */
export function queryBytes(text: string): Uint8Array {
  const bytes = Buffer.from(`Q\0\0\0\0${text}\0`);
  bytes.writeUInt32BE(bytes.length - 1, 1);
  return bytes;
}

export const endsReply = (chunk: Uint8Array): boolean => ready.equals(chunk.subarray(-ready.length));

/** `isLast`: the connection must not carry another message. */
export type ReadReply = { reply: Reply; isLast: boolean };

export class ReplyReader {
  /** Chunks that end with an incomplete part, the number of their bytes, and how many that part needs. */
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #needed = headerBytes;
  /** Of the reply that is arriving. */
  #replyBytes = 0;
  #columns: string[] = [];
  #rows: Row[] = [];
  #error: DatabaseError | undefined;

  /** Reads a chunk, and returns the reply when it is complete. */
  read(chunk: Buffer): ReadReply | undefined {
    this.#replyBytes += chunk.length;
    if (this.#replyBytes > databaseLimits.replyBytes) {
      return { reply: unavailable('REPLY_TOO_LARGE'), isLast: true };
    }
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) {
      return undefined;
    }
    try {
      return this.#readParts(this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#bytes));
    } catch {
      return { reply: unavailable('MALFORMED_REPLY'), isLast: true };
    }
  }

  #readParts(bytes: Buffer): ReadReply | undefined {
    let reply: Reply | undefined;
    let start = 0;
    this.#needed = headerBytes;
    while (!reply && bytes.length - start >= headerBytes) {
      const length = bytes.readUInt32BE(start + 1);
      ensure(length >= headerBytes - 1);
      const end = start + 1 + length;
      if (end > bytes.length) {
        this.#needed = end - start;
        break;
      }
      reply = this.#readPart(bytes.subarray(start, end));
      start = end;
    }
    const rest = bytes.subarray(start);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    // Bytes behind a reply belong to no message.
    return reply && { reply, isLast: rest.length > 0 };
  }

  /** Reads a part, and returns the reply if it was the last one. After a fatal error none comes: Postgres closes the connection. */
  #readPart(part: Buffer): Reply | undefined {
    if (part[0] === rowDescription) {
      this.#columns = readColumns(part);
      this.#rows = this.#columns.length > 0 ? [] : this.#rows;
    } else if (part[0] === dataRow && this.#columns.length > 0) {
      this.#rows.push(readRow(part, this.#columns));
    } else if (part[0] === errorResponse) {
      this.#error = readError(part);
    }
    return part[0] === readyForQuery ? this.#end(part) : undefined;
  }

  #end(part: Buffer): Reply {
    ensure(part.equals(ready));
    const reply: Reply = this.#error ? { ok: false, error: this.#error } : { ok: true, rows: this.#rows };
    this.#replyBytes = 0;
    this.#columns = [];
    this.#rows = [];
    this.#error = undefined;
    return reply;
  }
}

/** Throws unless a reply is as the protocol says, as Buffer does where a length or a count leads beyond it. */
function ensure(isSo: boolean): void {
  if (!isSo) {
    throw new RangeError('Malformed');
  }
}

function readColumns(part: Buffer): string[] {
  const columns: string[] = [];
  let start = headerBytes + 2;
  for (let count = part.readUInt16BE(headerBytes); count > 0; count--) {
    const end = part.indexOf(0, start);
    columns.push(part.toString('utf8', start, end));
    // The end of the name, and 18 bytes about the column.
    start = end + 19;
  }
  ensure(start === part.length);
  return columns;
}

function readRow(part: Buffer, columns: readonly string[]): Row {
  const row: Row = {};
  let start = headerBytes + 2;
  ensure(part.readUInt16BE(headerBytes) === columns.length);
  for (const column of columns) {
    const length = part.readInt32BE(start);
    start += 4;
    // The length of a null is -1.
    ensure(length >= -1);
    row[column] = length === -1 ? null : part.toString('utf8', start, start + length);
    start += Math.max(length, 0);
  }
  ensure(start === part.length);
  return row;
}

/** Reads the fields of an error, each a letter and a text. They end with a NUL. */
function readError(part: Buffer): DatabaseError {
  const fields: Record<string, string> = {};
  for (const field of part.toString('utf8', headerBytes).split('\0')) {
    fields[field.charAt(0)] = field.slice(1);
  }
  const { C: sqlstate = '', M: message = '', D: details, H: hint, n: constraint, c: column } = fields;
  return refused(sqlstate, message, { details, hint, constraint, column });
}
