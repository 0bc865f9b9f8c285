import { describe, expect, it } from 'vitest';
import { parsePreferences } from '../../functions/request/preferences.ts';

describe('the Prefer header', () => {
  it.each([
    ['return=headers-only', { return: 'headers-only' }],
    ['count=estimated', { count: 'estimated' }],
    ['resolution=ignore-duplicates', { resolution: 'ignore-duplicates' }],
    ['tx=commit', { tx: 'commit' }],
    ['missing=default', { missing: 'default' }],
    ['handling=lenient', { handling: 'lenient' }],
    ['timezone=America/Sao_Paulo', { timezone: 'America/Sao_Paulo' }],
    ['max-affected=0', { maxAffected: 0 }],
  ])('knows %s', (header, preferences) => {
    expect(parsePreferences(header)).toEqual({ ...preferences, invalid: [] });
  });

  it.each([
    ['return=minimal,count=exact ,, tx=rollback', { return: 'minimal', count: 'exact', tx: 'rollback' }],
    ['count=exact, count=planned', { count: 'exact' }],
    ['max-affected=1, max-affected=2', { maxAffected: 1 }],
    ['timezone=UTC, timezone=Asia/Tokyo', { timezone: 'UTC' }],
  ])('may have several preferences, of which the first of two counts: %s', (header, preferences) => {
    expect(parsePreferences(header)).toEqual({ ...preferences, invalid: [] });
  });

  it.each([
    ...['nonsense', 'count=roughly', 'Return=minimal', 'return=Minimal', 'constructor=x', '__proto__=x'],
    ...['invalid=x', 'timezone', 'max-affected'],
  ])('keeps an unknown preference as it was written: %s', preference => {
    expect(parsePreferences(`${preference}, count=exact`)).toEqual({ count: 'exact', invalid: [preference] });
  });

  it.each([
    'max-affected=-1',
    'max-affected=1.5',
    'max-affected=',
  ])('ignores a max-affected that is not an integer: %s', preference => {
    expect(parsePreferences(preference).maxAffected).toBeUndefined();
  });
});
