/** Casts of a large text, whose result in Postgres is many times as large, and which can't be interrupted. */
import { describe, it } from 'vitest';
import { sample } from '../setup/full-size.ts';
import { expectCheap } from './expect-cheap.ts';
import { query, store, storeLargest } from './quotes.ts';
import { useTarget } from './target.ts';

const target = useTarget();

const list = (bytes: number, part: string) => part.repeat(Math.floor(bytes / part.length));
/** Texts that are expensive to cast, by type. */
const texts: Record<string, (bytes: number) => string> = {
  jsonb: bytes => `[${list(bytes - 3, '[],')}1]`,
  json: bytes => `[${list(bytes - 3, '[],')}1]`,
  tsvector: bytes =>
    Array.from({ length: Math.floor(bytes / 7) }, (_, n) => `w${n}`)
      .join(' ')
      .slice(0, bytes),
  tsquery: bytes => `${list(bytes - 1, 'a&')}a`,
  numeric: bytes => list(bytes, '9'),
  bytea: bytes => `\\x${list(bytes - 3, 'aa')}`,
};

describe.each(Object.keys(texts))('a text that is cast to %s', type => {
  it.each(sample(1, [10, 1, 2, 4]))('%i times', { timeout: 120_000 }, async times => {
    const text = texts[type] as (bytes: number) => string;
    await target.service.sql`truncate builder.quotes cascade`;
    await storeLargest(target, bytes => ({ customer_notes: text(bytes) }));
    await store(target, [{ customization: { a: text(900_000) } }]);
    const headers = target.callers.customer;
    const aliased = (field: string) =>
      Array.from({ length: times }, (_, n) => `c${n}:${field}::${type}`).join(',');
    for (const field of ['customer_notes', 'customization->>a']) {
      const filter =
        field === 'customer_notes' ? { customer_notes: 'not.is.null' } : { customer_notes: 'is.null' };
      expectCheap(
        await target.attack([
          { path: `/rest/v1/quotes?${query({ select: aliased(field), ...filter })}`, headers },
        ]),
      );
    }
  });
});
