/** The functions that callers may call at `POST /rest/v1/rpc/<name>`, by the collection whose worker serves them. */
import type { Collection } from '../../schema/collection.ts';
import type { ServedFunction } from '../app/endpoint.ts';
import { duplicateQuote } from './duplicate-quote.ts';
import { nextQuoteNumber } from './next-quote-number.ts';
import { redeliver } from './redeliver.ts';

const functions: Record<string, ServedFunction[]> = {
  quotes: [nextQuoteNumber, duplicateQuote],
  deliveries: [redeliver],
};

export const functionsOf = ({ name }: Collection): ServedFunction[] => functions[name] ?? [];
