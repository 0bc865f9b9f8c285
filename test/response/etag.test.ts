import { describe, expect, it } from 'vitest';
import { acceptedVersions } from '../../functions/request/entity-tags.ts';
import { etagOfText, matches } from '../../functions/response/etag.ts';

describe('the tag of several rows', () => {
  it('is strong, the same for the same texts, and differs for every other', async () => {
    const tag = await etagOfText('0-1/*', 'a');
    expect(tag).toMatch(/^"[A-Za-z0-9+/]{20}"$/);
    expect(await etagOfText('0-1/*', 'a')).toBe(tag);
    expect(await etagOfText('0-1/*', 'b')).not.toBe(tag);
    expect(await etagOfText('0-1/', '*a')).not.toBe(tag);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['W/"a-1"', '"a-1"'],
    ['"a-1"', 'W/"a-1"'],
    ['"x" ,W/"a-1",  "y"', '"a-1"'],
    ['"with, a comma"', '"with, a comma"'],
    [' * ', 'W/"a-1"'],
    ['""', '""'],
  ])('%s matches %s', (header, etag) => {
    expect(matches(header, etag)).toBe(true);
  });

  const others = [
    '"a-2"',
    '"A-1"',
    'a-1',
    '"a-1" "b"',
    'w/"a-1"',
    '"a-1',
    '"a-1", *',
    ',',
    '',
    null,
    undefined,
  ];
  it.each(others)('%s does not match "a-1"', header => {
    const etag = '"a-1"';
    expect(matches(header, etag)).toBe(false);
  });
});

describe('If-Match', () => {
  it.each<[string, '*' | string[]]>([
    ['W/"741-abc"', ['741']],
    ['"741-abc", "742-x1"', ['741', '742']],
    ['*', '*'],
    ['"741"', []],
    ['"99999999999-a"', []],
    [`"1'-a"`, []],
  ])('%s accepts %j', (header, versions) => {
    expect(acceptedVersions(header)).toEqual(versions);
  });

  it.each(['741-abc', '"741-abc', '', ' ', '"a" "b"', '741'])('%s is malformed', header => {
    expect(acceptedVersions(header)).toBeUndefined();
  });
});
