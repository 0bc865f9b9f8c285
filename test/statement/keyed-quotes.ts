/** Quotes that are written with an Idempotency-Key. */
import { randomUUID } from 'node:crypto';
import { aQuote } from '../setup/rows.ts';
import type { Caller } from '../setup/wire.ts';

/** For tests of one account; `staff` counts what was written. */
export const keyedQuotes = (account: string, staff: Caller) => ({
  withKey: (key: string, more: object = {}) => ({ 'idempotency-key': key, ...more }),
  /** A quote with a unique company. */
  newQuote: () => ({
    ...aQuote(account, { customization: { text: '"\\ \\u0000 ñ 🦤\n' } }),
    company: randomUUID(),
  }),
  countOf: async ({ company }: { company: string }): Promise<number> =>
    (await staff.get(`/quotes?select=id&company=eq.${company}`)).body.length,
});
