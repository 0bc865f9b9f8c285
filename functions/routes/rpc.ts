/** The functions that callers may call, by the collection whose worker serves them. */
import type { Collection } from '../../schema/collection.ts';
import type { Env } from '../common/env.ts';
import { duplicateQuote, duplicateQuoteName } from './duplicate-quote.ts';
import { nextQuoteNumber, nextQuoteNumberName } from './next-quote-number.ts';

interface ServedFunction {
  name: string;
  call(request: Request, env: Env, context: Pick<ExecutionContext, 'waitUntil'>): Promise<Response>;
}

const functions: Record<string, ServedFunction[]> = {
  quotes: [
    { name: nextQuoteNumberName, call: nextQuoteNumber },
    { name: duplicateQuoteName, call: duplicateQuote },
  ],
};

export const functionsOf = ({ name }: Collection): ServedFunction[] => functions[name] ?? [];
