/** The names of the events that a webhook may be called for. */
import { quotes } from '../../../schema/quotes.ts';

const { status, fulfillment_status } = quotes.columns;

/** A quote's statuses and fulfilment statuses, and what else happens to it. */
export const eventNames: readonly string[] = [
  ...(status.type.values ?? []),
  ...(fulfillment_status.type.values ?? []),
  'repriced',
  'expiring',
  'amended',
  'deleted',
  'restored',
].map(name => `quote.${name}`);
