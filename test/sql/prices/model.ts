/**
 * The ten rules of a quote's life, written from their sentences and not from the database's code. For a request it says whether
 * it is refused, how the quote is afterwards, and what its history has.
 */
import type { Side, Write } from './actions.ts';

export type QuoteRow = Record<string, unknown> & { status: string };

export interface Event {
  event: string;
  as: Side;
  previous: string;
  offer: number | null;
}

export const termNames = [
  ...['unit_price', 'total_price', 'currency', 'product_id', 'design_id', 'sport', 'customization', 'colors'],
  ...['roster_count', 'size_breakdown', 'rush_order'],
];
const priceNames = ['unit_price', 'total_price', 'currency'];
const openNames = ['customer_notes', 'delivery_method'];

const moves: Record<string, string[]> = {
  draft: ['submitted', 'cancelled'],
  submitted: ['draft', 'cancelled'],
  quoted: ['approved', 'rejected', 'submitted', 'cancelled'],
  approved: ['cancelled'],
  rejected: ['submitted'],
  expired: ['submitted'],
};
const closed = ['ordered', 'rejected', 'expired', 'cancelled'];

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const differs = (names: string[], a: QuoteRow, b: QuoteRow): boolean =>
  names.some(name => !isSame(a[name], b[name]));
const hasPassed = (time: unknown): boolean => typeof time === 'string' && Date.parse(time) <= Date.now();

/** Returns the terms of a quote. */
const termsOf = (row: QuoteRow): unknown[] => termNames.map(name => row[name]);

export class Model {
  readonly events: Event[] = [];
  readonly offers: unknown[][] = [];

  /** Returns the quote after a request, or undefined if a rule refuses it. */
  apply(write: Write, before: QuoteRow): QuoteRow | undefined {
    const after: QuoteRow = { ...before, ...write.values };
    const hasMoved = after.status !== before.status;
    if (write.side === 'customer' ? !mayCustomer(before, after) : !this.#mayPrice(write, before, after)) {
      return undefined;
    }
    // 3. Submission.
    if (hasMoved && after.status === 'submitted') {
      for (const name of [
        'unit_price',
        'total_price',
        ...(before.status === 'draft' ? [] : ['expires_at']),
      ]) {
        after[name] = isSame(after[name], before[name]) ? null : after[name];
      }
    }
    // 4. Offer.
    if (after.status === 'quoted') {
      const setsEnd = !isSame(after['expires_at'], before['expires_at']);
      if (after['unit_price'] === null || after['total_price'] === null) {
        return undefined;
      }
      if (hasPassed(after['expires_at']) && setsEnd) {
        return undefined;
      }
      if (hasPassed(after['expires_at']) && isPriced(before, after)) {
        after['expires_at'] = null;
      }
    }
    if (!this.#mayApprove(write, before, after) || !keepsTerms(write, before, after)) {
      return undefined;
    }
    // 10. Fulfillment.
    if (before.status === 'ordered' && hasMoved) {
      after['fulfillment_status'] = null;
    }
    return after['fulfillment_status'] === null || after.status === 'ordered' ? after : undefined;
  }

  /** 5. Price, and 7. One. */
  #mayPrice({ naming, rows, values }: Write, before: QuoteRow, after: QuoteRow): boolean {
    const hasBothPrices = after['unit_price'] !== null && after['total_price'] !== null;
    if (!isPriced(before, after) || (after.status === 'quoted' && !hasBothPrices)) {
      return true; // Without both prices, rule 4 refuses it.
    }
    if (rows === 'filtered') {
      return false;
    }
    if (after.status === 'draft' || naming === 'version') {
      return true;
    }
    const mustName = priceNames.filter(name => name !== 'currency' || after[name] !== 'USD');
    if (before.status !== 'quoted' && after.status === 'quoted' && !mustName.every(name => name in values)) {
      return false;
    }
    return ['submitted', 'quoted'].includes(before.status) && this.#hasOneVersion();
  }

  #hasOneVersion(): boolean {
    const passedOver = ['quote.deleted', 'quote.restored', 'quote.expiring'];
    const events = this.events.filter(({ event }) => !passedOver.includes(event));
    const last = events.at(-1);
    const isFirstSubmission =
      events.length === 1 &&
      last?.event === 'quote.submitted' &&
      last.previous === 'draft' &&
      last.as !== 'staff';
    const isPriced = last?.event === 'quote.quoted' || last?.event === 'quote.repriced';
    return isFirstSubmission || (isPriced && last?.offer !== null);
  }

  /** 6. Approval, and 7. One. */
  #mayApprove({ naming, rows, values }: Write, before: QuoteRow, after: QuoteRow): boolean {
    const isApproval = after.status === 'approved' && 'status' in values;
    const isOrder = after.status === 'ordered' && !['approved', 'ordered'].includes(before.status);
    if (!isApproval && !isOrder) {
      return true;
    }
    if (isApproval && before.status !== 'approved' && hasPassed(after['expires_at'])) {
      return false;
    }
    if (rows === 'filtered') {
      return false;
    }
    const terms = termsOf(after);
    const others = this.offers.filter(offered => !isSame(offered, terms));
    const ofThisTotal = others.filter(offered => isSame(offered[1], before['total_price']));
    return (
      naming === 'version' ||
      (['quoted', 'approved', 'ordered'].includes(before.status) &&
        this.offers.some(offered => isSame(offered, terms)) &&
        (naming === 'price' ? ofThisTotal : others).length === 0)
    );
  }

  /** Adds what a change writes into the history. */
  note(side: Side, before: QuoteRow, after: QuoteRow): void {
    const add = (event: string, isOffer: boolean) => {
      const hasPrice =
        after.status !== 'draft' && (after['unit_price'] !== null || after['total_price'] !== null);
      if (isOffer && hasPrice && !isSame(this.offers.at(-1), termsOf(after))) {
        this.offers.push(termsOf(after));
      }
      const offer = hasPrice ? this.offers.length || null : null;
      this.events.push({ event: `quote.${event}`, as: side, previous: before.status, offer });
    };
    const last = this.events.at(-1);
    const hasOtherDesign = differs(
      termNames.filter(name => !priceNames.includes(name)),
      before,
      after,
    );
    if (after.status !== before.status) {
      add(after.status, true);
      if (after.status === 'quoted' && hasOtherDesign) {
        add('changed', true);
      }
    } else if (after.status !== 'draft') {
      if (after.status === 'ordered') {
        if (differs(termNames, before, after)) {
          add('amended', true);
        }
      } else if (isPriced(before, after)) {
        add('repriced', true);
        if (hasOtherDesign) {
          add('changed', true);
        }
      } else if (differs(termNames, before, after)) {
        add('changed', true);
      } else if (
        side === 'customer' &&
        differs(openNames, before, after) &&
        !(last?.event === 'quote.changed' && last.as === side)
      ) {
        add('changed', true);
      }
    }
    if (after['fulfillment_status'] !== null && differs(['fulfillment_status'], before, after)) {
      add(String(after['fulfillment_status']), false);
    }
    if ((after['deleted_at'] === null) !== (before['deleted_at'] === null)) {
      add(after['deleted_at'] === null ? 'restored' : 'deleted', false);
    }
  }
}

/** Whether the request makes an offer, or sets another price or currency. A price that is removed is no price. */
const isPriced = (before: QuoteRow, after: QuoteRow): boolean =>
  (after.status === 'quoted' && before.status !== 'quoted') ||
  priceNames.some(name => after[name] !== null && !isSame(after[name], before[name]));

/** 1. Moves, and 2. Fields. */
function mayCustomer(before: QuoteRow, after: QuoteRow): boolean {
  const hasMoved = after.status !== before.status;
  if (before['deleted_at'] !== null || (hasMoved && !moves[before.status]?.includes(after.status))) {
    return false;
  }
  const isClosed = closed.includes(before.status) && !hasMoved;
  return (
    before.status === 'draft' ||
    !differs(
      [...termNames, ...(isClosed ? openNames : [])],
      { ...before, unit_price: null, total_price: null },
      { ...after, unit_price: null, total_price: null },
    )
  );
}

/** 8. Terms. */
const keepsTerms = ({ naming }: Write, before: QuoteRow, after: QuoteRow): boolean =>
  !['approved', 'ordered'].includes(before.status) ||
  ['quoted', 'submitted'].includes(after.status) ||
  !differs(termNames, before, after) ||
  (before.status === 'ordered' && after.status === 'ordered' && naming === 'version');
