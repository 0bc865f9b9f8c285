import { describe, expect, it } from 'vitest';
import { traceParentOf } from '../../functions/log/trace-parent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const read = (traceparent?: string) =>
  traceParentOf(new Request('http://localhost', { headers: traceparent ? { traceparent } : {} }));

describe('the header traceparent', () => {
  it.each(['00', '01', 'ff'])('names a trace and the span that calls, with the flags %s', flags => {
    const text = `00-${trace}-${span}-${flags}`;
    expect(read(text)).toEqual({ text, traceId: trace, parentId: span });
  });

  it.each([
    ['of another version', `01-${trace}-${span}-01`],
    ['with a trace of zeros', `00-${'0'.repeat(32)}-${span}-01`],
    ['with a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
    ['with capital letters', `00-${trace.toUpperCase()}-${span}-01`],
    ['too short', `00-${trace.slice(1)}-${span}-01`],
    ['with more behind it', `00-${trace}-${span}-01-more`],
    ['that is something else', "*/ select 'x' /*"],
  ])('is ignored %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});
