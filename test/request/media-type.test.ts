import { describe, expect, it } from 'vitest';
import { contentType, type MediaType, negotiate } from '../../functions/request/media-type.ts';

const json: MediaType = { is: 'json', nullsStripped: false };
const object: MediaType = { is: 'object', nullsStripped: false };
const csv: MediaType = { is: 'csv' };

describe('the Accept header', () => {
  it.each([
    ['application/vnd.pgrst.object', object],
    ['application/vnd.pgrst.object+json; nulls="stripped"', { is: 'object', nullsStripped: true }],
    ['application/vnd.pgrst.array', json],
    ['application/json;nulls=stripped', json],
    ['text/csv, application/json', csv],
    ['*/*, text/csv', csv],
    [
      'application/json, application/vnd.pgrst.array+json;nulls=stripped',
      { is: 'json', nullsStripped: true },
    ],
    ['application/json;q=0, text/csv;q=0.1', csv],
    ['text/csv;q=high, application/json;q=0.9', csv],
    ['text/html;title="a,b;c", text/csv', csv],
  ])('means the best of the available media types: %s', (accept, mediaType) => {
    expect(negotiate(accept)).toEqual({ ok: true, value: mediaType });
  });

  it.each([
    ['text/html, image/png;q=0.5', ['text/html', 'image/png']],
    ['application/json;q=0', ['application/json']],
    ['application/vnd.pgrst.plan+json; for="text/html, image/png"', ['application/vnd.pgrst.plan+json']],
    ['json', ['json']],
  ])('is refused when none of its media types is available: %s', (accept, mediaTypes) => {
    expect(negotiate(accept)).toEqual({ ok: false, failure: { is: 'unacceptable media type', mediaTypes } });
  });
});

describe("Postgres's plan", () => {
  const plan: MediaType = { is: 'plan', format: 'text', options: [], rows: json };

  it.each<[string, MediaType]>([
    ['application/vnd.pgrst.plan+json', { ...plan, format: 'json' }],
    ['application/vnd.pgrst.plan; for="text/csv"', { ...plan, rows: csv }],
    [
      'application/vnd.pgrst.plan+text; options=buffers|analyze|x',
      { ...plan, options: ['analyze', 'buffers'] },
    ],
  ])('is a media type with options: %s', (accept, mediaType) => {
    expect(negotiate(accept)).toEqual({ ok: true, value: mediaType });
  });

  it('names the explained media type in its Content-Type', () => {
    expect(contentType({ ...plan, options: ['analyze', 'wal'], rows: csv })).toBe(
      'application/vnd.pgrst.plan+text; for="text/csv"; options=analyze|wal; charset=utf-8',
    );
    expect(contentType(plan)).toBe('application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8');
  });
});
