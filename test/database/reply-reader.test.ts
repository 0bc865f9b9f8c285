/** Postgres's answers are read whatever pieces they arrive in. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, ReplyReader, simpleQuery } from '../../functions/database/reply-reader.ts';
import { anyText } from '../setup/any-text.ts';

/** A message of the server: its type, its length and its contents. */
function message(type: string, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

const int16 = (number: number): Buffer => Buffer.from([number >> 8, number & 255]);
function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}
const text = (value: string): Buffer => Buffer.from(`${value}\0`);

const columns = (names: string[]): Buffer =>
  message('T', int16(names.length), ...names.flatMap(name => [text(name), Buffer.alloc(18, 1)]));
const value = (of: string | null): Buffer[] =>
  of === null ? [int32(-1)] : [int32(Buffer.byteLength(of)), Buffer.from(of)];
const row = (values: (string | null)[]): Buffer =>
  message('D', int16(values.length), ...values.flatMap(value));
const complete = message('C', text('SELECT 1'));
const error = (fields: Record<string, string>): Buffer =>
  message('E', ...Object.entries(fields).map(([letter, of]) => text(letter + of)), Buffer.from([0]));
const ready = message('Z', Buffer.from('I'));
const notice = message('N', text('SNOTICE'), text('Mheard'), Buffer.from([0]));
const parameter = message('S', text('TimeZone'), text('UTC'));

/** The answers to what arrives in these pieces, each of which is overwritten once it has been read. */
function answersTo(pieces: Uint8Array[]): Answer[] {
  const reader = new ReplyReader();
  return pieces.flatMap(piece => {
    const bytes = Uint8Array.from(piece);
    const answer = reader.read(bytes);
    bytes.fill(0);
    return answer ?? [];
  });
}

const answerTo = (...messages: Buffer[]): Answer[] => answersTo([Buffer.concat(messages)]);
const rows = (...of: object[]) => [{ reply: { ok: true, rows: of }, endsConnection: false }];

/** Bytes in pieces that end at these places. */
function cut(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const ends = [...new Set(places.map(place => place % bytes.length))].sort((a, b) => a - b);
  return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index]));
}

describe('the answer to a query', () => {
  it('has the rows of the last statement with columns', () => {
    const first = [columns(['a']), row(['1']), complete];
    const second = [columns(['b', 'c']), row(['2', null]), row(['', '🏈']), complete];
    const withoutColumns = [columns([]), row([]), complete];
    expect(answerTo(...first, ...second, complete, ...withoutColumns, ready)).toEqual(
      rows({ b: '2', c: null }, { b: '', c: '🏈' }),
    );
  });

  it('has no row when nothing returned any, or nothing was asked', () => {
    expect(answerTo(complete, ready)).toEqual(rows());
    expect(answerTo(message('I'), ready)).toEqual(rows());
    expect(answerTo(columns(['a']), row(['1']), complete, columns(['a']), complete, ready)).toEqual(rows());
  });

  it('is an error whatever rows came before it, with what it says of itself', () => {
    const fields = { S: 'FEHLER', V: 'ERROR', C: '23505', M: 'taken', D: 'Key', H: 'Try', n: 'ignored' };
    const refused = { is: 'refused', sqlstate: '23505', message: 'taken', details: 'Key', hint: 'Try' };
    expect(answerTo(columns(['a']), row(['1']), error(fields), ready)).toEqual([
      { reply: { ok: false, error: refused }, endsConnection: false },
    ]);
  });

  it('is no part of the next one', () => {
    const failed = [columns(['a']), row(['1']), error({ V: 'ERROR', C: '22012', M: 'zero' }), ready];
    expect(answersTo([Buffer.concat(failed), Buffer.concat([complete, ready])]).at(-1)).toEqual(rows()[0]);
  });

  const failed = (reason: string) => ({
    reply: { ok: false, error: { is: 'unavailable', reason } },
    endsConnection: true,
  });
  const bye = error({ V: 'FATAL', C: '57P01', M: 'bye' });

  it('is that the connection is lost, when Postgres ends it', () => {
    expect(answerTo(bye)).toEqual([failed('CONNECTION_CLOSED')]);
    expect(answerTo(columns(['a']), row(['1']), bye)).toEqual([failed('CONNECTION_CLOSED')]);
  });

  it('is what was done, when Postgres ends the connection after it', () => {
    const [answer] = rows({ a: '1' });
    const done = [columns(['a']), row(['1']), complete, ready];
    expect(answerTo(...done, bye)).toEqual([{ ...answer, endsConnection: true }]);
    expect(answersTo([Buffer.concat(done), bye])).toEqual([answer, failed('CONNECTION_CLOSED')]);
  });

  it('is the last one when it is none of a query, or is two', () => {
    const copy = message('G', Buffer.from([0, 0, 0]));
    expect(answerTo(copy)).toEqual([failed('PROTOCOL_VIOLATION')]);
    expect(answerTo(copy, complete, ready)).toEqual([failed('PROTOCOL_VIOLATION')]);
    expect(answerTo(complete, ready, complete, ready)).toEqual([{ ...rows()[0], endsConnection: true }]);
  });

  it('is read among notices and settings, which may also come between answers', () => {
    expect(answerTo(notice, parameter, columns(['a']), notice, row(['1']), complete, ready, notice)).toEqual(
      rows({ a: '1' }),
    );
    const between = [Buffer.concat([complete, ready, notice.subarray(0, 7)]), notice.subarray(7)];
    expect(answersTo([...between, Buffer.concat([columns(['a']), row(['1']), ready])])).toEqual([
      ...rows(),
      ...rows({ a: '1' }),
    ]);
  });

  it('is the same in whatever pieces it arrives', () => {
    const anyRow = fc.array(fc.option(anyText()), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(fc.array(anyRow), fc.array(fc.nat(), { maxLength: 20 }), (values, places) => {
        const sent = [columns(['a', '🦅']), notice, ...values.map(row), complete, ready];
        const expected = values.map(([first, second]) => ({ a: first, '🦅': second }));
        expect(answersTo(cut(Buffer.concat(sent), places))).toEqual(rows(...expected));
      }),
    );
  });

  it('of 4 MB costs no more than its bytes: it is joined once', () => {
    const long = 'x'.repeat(4_000_000);
    const sent = Buffer.concat([columns(['body']), row([long]), complete, ready]);
    const places = Array.from({ length: sent.length / 1000 }, (_, index) => index * 1000);
    const [answer] = answersTo(cut(sent, places));
    expect(answer?.reply).toEqual({ ok: true, rows: [{ body: long }] });
  });
});

it('a query is sent as its length and its text in UTF-8', () => {
  expect(Buffer.from(simpleQuery("select '🏈'"))).toEqual(message('Q', text("select '🏈'")));
});
