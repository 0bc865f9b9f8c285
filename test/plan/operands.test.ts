/** What plans make of the operands of filters, where a few requests alone have such. */
import { describe, expect, it } from 'vitest';
import { workLimits } from '../../functions/plan/limits.ts';
import { planAsStaff as plan } from './plan-of.ts';

const refused = (failure: object) => ({ ok: false, failure });
const accepted = { ok: true };

describe('a value', () => {
  it.each([
    ['created_at=eq(any).{2026-05-20,"2026-05-21", 2026-05-22 }', true],
    ['created_at=eq(any).{null,2026-05-20}', true],
    ['created_at=eq(any).{ null , "2026-05-20"}', true],
    ['created_at=eq(any). {2026-05-20} ', true],
    ['created_at=eq(any).{2026-05-20,abc1}', false],
    ['created_at=eq(any).{{2026-05-20}}', false],
    ['created_at=eq(any).x{2026-05-20}', false],
    ['created_at=eq(any).{2026-05-20}x', false],
    ['created_at=eq.{2026-05-20}', false],
    ['created_at=eq. 2026-05-20 ', true],
    ['created_at=eq.0044-03-15 BC', true],
    ['created_at=eq.2026-05-20 10:00 Europe/Berlin', true],
    ['created_at=eq.2026-05-20 10:00Europe/Berlin', false],
    ['created_at=eq.2026-05-20 bcd1', false],
  ])('of a time, %s, is one: %s', (query, isTime) => {
    expect(plan({ query: query.replaceAll(' ', '%20') })).toMatchObject(
      isTime ? accepted : refused({ is: 'invalid value', sqlstate: '22007' }),
    );
  });
});

describe('a full-text search', () => {
  const { parentheses, negations } = workLimits.search;
  it.each([
    ['sport=fts(english).a', accepted],
    ['sport=fts(klingon).a', refused({ is: 'unknown configuration', name: 'klingon' })],
    [`sport=fts.${'('.repeat(parentheses)}`, accepted],
    [`sport=fts.${'('.repeat(parentheses + 1)}`, refused({ what: 'parentheses in a full-text query' })],
    [`sport=plfts.${'('.repeat(parentheses + 1)}`, accepted],
    [`sport=fts.${'!'.repeat(negations)}a`, accepted],
    [`sport=fts.${'!'.repeat(negations + 1)}a`, refused({ what: 'negations in a row' })],
    [`sport=fts.${'!%20%20'.repeat(negations + 1)}a`, refused({ is: 'too complex' })],
    [`sport=fts.${'!a'.repeat(negations + 1)}`, accepted],
  ])('%s', (query, expected) => {
    expect(plan({ query })).toMatchObject(expected);
  });
});
