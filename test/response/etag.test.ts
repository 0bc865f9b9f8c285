import { describe, expect, it } from 'vitest';
import { acceptedVersions } from '../../functions/request/entity-tags.ts';
import { matches } from '../../functions/response/etag.ts';

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

  it.each([
    ...['"a-2"', '"A-1"', 'a-1', '"a-1" "b"', 'w/"a-1"', '"a-1', '"a-1", *', ',', '', undefined],
  ])('%s does not match "a-1"', header => {
    expect(matches(header, '"a-1"')).toBe(false);
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
