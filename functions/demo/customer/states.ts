/** The states of a quote as its customer names them; staff have their own words. */
import { hasEnded } from '../format.ts';
import type { History } from '../offers/history.ts';

/** How far an order is. */
export const steps = {
  reviewing: 'in review',
  preparing: 'in production',
  shipping: 'shipped',
  delivered: 'delivered',
};

interface Stated {
  status: string;
  fulfillment_status: keyof typeof steps | null;
  expires_at: string | null;
}

/** Returns what the badge of a quote shows. A price that can't be approved any more is not ready. */
export function stateOf({ status, fulfillment_status, expires_at }: Stated): {
  status: string;
  label: string;
} {
  if (status === 'quoted') {
    return hasEnded(expires_at)
      ? { status: 'expired', label: 'price ended' }
      : { status: 'ready', label: 'price ready' };
  }
  return fulfillment_status
    ? { status: fulfillment_status, label: steps[fulfillment_status] }
    : { status, label: status };
}

/** Returns the event that a quote ended with, as far as the history knows. */
export const endOf = (status: string, history?: History) =>
  history?.quote_events.find(({ event }) => event === `quote.${status}`);

/** Whether a quote ended as a draft, which was no offer and asked for none. */
export const endedAsDraft = (status: string, history?: History): boolean =>
  status === 'expired' && endOf(status, history)?.previous_status === 'draft';
