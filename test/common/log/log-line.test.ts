/** What a log line has of an error and of a header, which may say anything. */
import { describe, expect, it } from 'vitest';
import { crashLine } from '../../../functions/common/crash-line.ts';
import { traceParentOf } from '../../../functions/common/trace-parent.ts';

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('No error was thrown');
}

it.each([
  ['broken JSON', () => JSON.parse('{"internal_notes": planted}')],
  ['a name that is looked up', () => (undefined as never as Record<string, string>)['planted']],
  ['a message of several lines', () => fail('a\n    at planted (file.js:1:2)\nplanted')],
])('the log line of a bug quotes nothing of %s', (_, work) => {
  const error = errorOf(work);
  expect(JSON.stringify(crashLine(error))).not.toContain('planted');
});

function fail(message: string): never {
  throw new RangeError(message);
}

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const read = (traceparent?: string) =>
  traceParentOf(new Request('http://localhost', { headers: traceparent ? { traceparent } : {} }));

describe('the header traceparent', () => {
  it('names a trace and the span that calls, with any flags', () => {
    const text = `00-${trace}-${span}-ff`;
    expect(read(text)).toEqual({ text, traceId: trace, parentId: span });
  });

  it.each([
    ['of another version', `01-${trace}-${span}-01`],
    ['with a trace of zeros', `00-${'0'.repeat(32)}-${span}-01`],
    ['with capital letters', `00-${trace.toUpperCase()}-${span}-01`],
    ['with more behind it', `00-${trace}-${span}-01-more`],
    ['that is something else', "*/ select 'x' /*"],
  ])('is ignored %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});
