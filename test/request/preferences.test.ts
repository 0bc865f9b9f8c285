import { describe, expect, it } from 'vitest';
import { parsePreferences } from '../../functions/request/preferences.ts';

describe('the Prefer header', () => {
  it('may be absent', () => {
    expect(parsePreferences(null)).toEqual({ invalid: [] });
    expect(parsePreferences('')).toEqual({ invalid: [] });
  });

  it.each([
    ['return=representation', { return: 'representation' }],
    ['return=minimal', { return: 'minimal' }],
    ['return=headers-only', { return: 'headers-only' }],
    ['count=exact', { count: 'exact' }],
    ['count=planned', { count: 'planned' }],
    ['count=estimated', { count: 'estimated' }],
    ['resolution=merge-duplicates', { resolution: 'merge-duplicates' }],
    ['resolution=ignore-duplicates', { resolution: 'ignore-duplicates' }],
    ['tx=commit', { tx: 'commit' }],
    ['tx=rollback', { tx: 'rollback' }],
    ['missing=default', { missing: 'default' }],
    ['missing=null', { missing: 'null' }],
    ['handling=strict', { handling: 'strict' }],
    ['handling=lenient', { handling: 'lenient' }],
    ['timezone=America/Sao_Paulo', { timezone: 'America/Sao_Paulo' }],
    ['max-affected=10', { maxAffected: 10 }],
    ['max-affected=0', { maxAffected: 0 }],
  ])('knows %s', (header, preferences) => {
    expect(parsePreferences(header)).toEqual({ ...preferences, invalid: [] });
  });

  it('may have several preferences, with spaces and empty items between them', () => {
    expect(parsePreferences('return=minimal,count=exact ,, tx=rollback')).toEqual({
      return: 'minimal',
      count: 'exact',
      tx: 'rollback',
      invalid: [],
    });
  });

  it.each([
    ['count=exact, count=planned', { count: 'exact' }],
    ['max-affected=1, max-affected=2', { maxAffected: 1 }],
    ['timezone=UTC, timezone=Asia/Tokyo', { timezone: 'UTC' }],
  ])('uses the first of two: %s', (header, preferences) => {
    expect(parsePreferences(header)).toEqual({ ...preferences, invalid: [] });
  });

  it.each([
    'nonsense',
    'count=roughly',
    'return=everything',
    'Return=minimal',
    'return=Minimal',
    'constructor=x',
    '__proto__=x',
    'invalid=x',
    'timezones',
    'timezone',
    'max-affected',
  ])('keeps an unknown preference as it was written: %s', preference => {
    expect(parsePreferences(`${preference}, count=exact`)).toEqual({ count: 'exact', invalid: [preference] });
  });

  it.each([
    'max-affected=many',
    'max-affected=-1',
    'max-affected=1.5',
    'max-affected=',
    'max-affected=1e3',
  ])('ignores a max-affected that is not an integer: %s', preference => {
    expect(parsePreferences(preference).maxAffected).toBeUndefined();
  });
});
