import { describe, expect, it } from 'vitest';
import { describeParseError, type ParseError } from '../../functions/failure/parse-error.ts';

describe('a parse error', () => {
  const error: ParseError = {
    parameter: 'filter',
    input: 'in.EAGLE',
    column: 4,
    unexpected: '"E"',
    expecting: ['"("'],
  };

  it("has PostgREST's words", () => {
    expect(describeParseError(error)).toEqual({
      message: '"failed to parse filter (in.EAGLE)" (line 1, column 4)',
      details: 'unexpected "E" expecting "("',
      hint: expect.stringMatching(/^For example: id=in/),
    });
  });

  it('may have a hint of its own', () => {
    expect(describeParseError({ ...error, hint: 'Write it so.' }).hint).toBe('Write it so.');
  });

  it.each([
    [[], 'unexpected "E"'],
    [['a', 'b'], 'unexpected "E" expecting a or b'],
    [['a', 'b', 'c'], 'unexpected "E" expecting a, b or c'],
  ])('lists what was expected: %j', (expecting, details) => {
    expect(describeParseError({ ...error, expecting }).details).toBe(details);
  });
});
