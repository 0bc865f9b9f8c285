import { describe, expect, it } from 'vitest';
import { type Piece, splitPieces } from '../../../functions/local/tail/split.ts';

async function split(...lines: string[]): Promise<Piece[]> {
  async function* input() {
    yield* lines;
  }
  const pieces: Piece[] = [];
  for await (const piece of splitPieces(input())) {
    pieces.push(piece);
  }
  return pieces;
}
const printed = (value: unknown): string[] => JSON.stringify(value, undefined, 2).split('\n');

describe('the input of a tail', () => {
  it('may have an object on one line or over several', async () => {
    const event = { logs: [{ message: [{ event: 'request' }] }], outcome: 'ok', event: {} };
    expect(await split('{"event":"sweep"}', ...printed(event), ...printed({ a: '{\n}' }))).toEqual([
      { object: { event: 'sweep' } },
      { object: event },
      { object: { a: '{\n}' } },
    ]);
  });

  it('is unchanged when it is no object', async () => {
    const lines = ['Connected to uniform-builder-quotes', '', '{ event: "request" }', '{"cut', '  }', '[1]'];
    expect(await split(...lines)).toEqual(lines.map(text => ({ text })));
  });

  it('may begin or end in the middle of an object', async () => {
    const [first = '', second = '', ...rest] = printed({ a: 1, b: [2] });
    expect(await split(second, first, second)).toEqual([{ text: second }, { text: first }, { text: second }]);
    expect(await split(first, second, first, second, ...rest)).toEqual([
      { text: first },
      { text: second },
      { object: { a: 1, b: [2] } },
    ]);
  });
});
