/** A reply of Postgres is read the same however its bytes arrive, and no bytes stop the reader or make it hold too much. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { databaseLimits } from '../../functions/database/database-limits.ts';
import { endsReply, queryBytes, type ReadReply, ReplyReader } from '../../functions/database/simple-query.ts';

const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string) => Buffer.from(`${value}\0`);
const part = (type: string, ...content: Buffer[]) => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from(type), int32(4 + bytes.length), bytes]);
};

interface Statement {
  columns: string[];
  rows: (string | null)[][];
}

const statementBytes = ({ columns, rows }: Statement) => [
  part('T', int16(columns.length), ...columns.flatMap(name => [text(name), Buffer.alloc(18, 1)])),
  ...rows.map(row =>
    part(
      'D',
      int16(row.length),
      ...row.flatMap(value =>
        value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
      ),
    ),
  ),
  part('C', text('SELECT 1')),
];
const ready = part('Z', Buffer.from('I'));
const beside = fc.constantFrom(
  part('N', text('SNOTICE'), text('Mignored'), Buffer.alloc(1)),
  part('S', text('TimeZone'), text('Asia/Tokyo')),
  part('I'),
);

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const anyName = fc.stringMatching(/^[a-zé]{1,12}$/);
const anyStatement: fc.Arbitrary<Statement> = fc.uniqueArray(anyName, { maxLength: 4 }).chain(columns =>
  fc.record({
    columns: fc.constant(columns),
    rows: fc.array(fc.array(fc.option(anyText), { minLength: columns.length, maxLength: columns.length }), {
      maxLength: 4,
    }),
  }),
);
const anyError = fc.option(fc.record({ C: fc.constant('22012'), M: anyName, D: fc.option(anyName) }));

/** The replies that a reader finds in bytes that arrive in chunks of these sizes. */
function readIn(sizes: number[], bytes: Buffer): ReadReply[] {
  const reader = new ReplyReader();
  const replies: ReadReply[] = [];
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    const reply = reader.read(bytes.subarray(start, start + size));
    if (reply) {
      replies.push(reply);
    }
    start += size;
  }
  return replies;
}

const anySizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 });

it('a reply has the rows of the last statement with columns, or the error, in chunks of any size', () => {
  fc.assert(
    fc.property(
      fc.array(anyStatement, { maxLength: 3 }),
      anyError,
      beside,
      anySizes,
      (statements, error, other, sizes) => {
        const { C = '', M = '', D } = error ?? {};
        const failed = part(
          'E',
          text('VERROR'),
          text(`C${C}`),
          text(`M${M}`),
          D ? text(`D${D}`) : int16(0),
          int16(0),
        );
        const bytes = Buffer.concat([
          ...statements.flatMap(statement => [other, ...statementBytes(statement)]),
          ...(error ? [failed] : []),
          other,
          ready,
        ]);
        const last = statements.findLast(({ columns }) => columns.length > 0);
        const rows = last?.rows.map(row =>
          Object.fromEntries(last.columns.map((name, at) => [name, row[at]])),
        );
        const reply = error
          ? { ok: false, error: { is: 'refused', sqlstate: C, message: M, ...(D && { details: D }) } }
          : { ok: true, rows: rows ?? [] };
        const whole = { reply, isLast: false };
        expect(readIn(sizes, bytes)).toEqual([whole]);
        expect(readIn([bytes.length], Buffer.concat([bytes, bytes]))).toEqual([whole, whole]);
        expect(endsReply(bytes)).toBe(true);
      },
    ),
  );
});

it('no bytes make the reader throw, and bytes behind a reply make it the last one', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), anySizes, (bytes, sizes) => {
      readIn(sizes, Buffer.from(bytes));
      if (bytes.length > 0) {
        expect(new ReplyReader().read(Buffer.concat([ready, bytes]))).toEqual({
          reply: { ok: true, rows: [] },
          isLast: true,
        });
      }
    }),
  );
});

const [oneColumn = ready] = statementBytes({ columns: ['a'], rows: [] });
const ofLength = (type: string, length: number) => Buffer.concat([Buffer.from(type), int32(length)]);

it.each<[what: string, ...parts: Buffer[]]>([
  ['a row with fewer values than columns', oneColumn, part('D', int16(0))],
  ['a row with more values than columns', oneColumn, part('D', int16(2), int32(0), int32(0))],
  ['a row that ends in a value', oneColumn, part('D', int16(1), int32(100), Buffer.from('abc'))],
  ['a row with bytes behind its values', oneColumn, part('D', int16(1), int32(1), Buffer.from('abc'))],
  ['a value of a negative length', oneColumn, part('D', int16(1), int32(-5))],
  ['a column without the end of its name', part('T', int16(1), Buffer.alloc(40, 1))],
  ['fewer columns than it says', part('T', int16(2), text('a'), Buffer.alloc(18))],
  ['a part that is shorter than its length', ofLength('N', 3)],
  ['an end without a state', part('Z')],
  ['an end in an open transaction', part('Z', Buffer.from('T'))],
  ['an end in a failed transaction', part('Z', Buffer.from('E'))],
])('%s is a malformed reply, and the last one', (_, ...parts) => {
  const bytes = Buffer.concat([...parts, ready]);
  expect(readIn([bytes.length], bytes)).toEqual([
    { reply: { ok: false, error: { is: 'unavailable', reason: 'MALFORMED_REPLY' } }, isLast: true },
  ]);
});

it('a reply of more bytes than any response has is refused while it arrives', () => {
  const reader = new ReplyReader();
  const chunk = Buffer.alloc(1024 * 1024, 'D\x7f\xff\xff\xff');
  const chunks = databaseLimits.replyBytes / chunk.length;
  for (let count = 0; count < chunks; count++) {
    expect(reader.read(chunk)).toBeUndefined();
  }
  expect(reader.read(chunk)).toEqual({
    reply: { ok: false, error: { is: 'unavailable', reason: 'REPLY_TOO_LARGE' } },
    isLast: true,
  });
});

it('a message has its length in bytes, not in characters', () => {
  expect(queryBytes("select '🏈'")).toEqual(part('Q', text("select '🏈'")));
});
