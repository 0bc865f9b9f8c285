/**
 * The ten rules of a quote's life, written from their sentences and not from the database's code. For a request it says whether
 * it is refused, how the quote is afterwards, and what its history has.
 */
import type { NameColumn, Side, Write } from './actions.ts';

export type QuoteRow = Record<string, unknown> & { status: string };

export interface Event {
  event: string;
  as: Side;
  previous: string | null;
  offer: number | null;
  hasDigest: boolean;
}

/** A request whose names are resolved. */
export interface Resolved extends Pick<Write, 'side' | 'rows' | 'values'> {
  /** The columns by which it names something of the row as that is. */
  named: ReadonlySet<NameColumn>;
  /** The columns of its body that have another value than the row, without those that it sets. */
  others: ReadonlySet<NameColumn>;
}

const priceNames = ['unit_price', 'total_price', 'currency'];
export const designNames = [
  ...['product_id', 'design_id', 'sport', 'customization', 'colors', 'roster_count', 'size_breakdown'],
  'rush_order',
];
export const termNames = [...priceNames, ...designNames];
const openNames = ['customer_notes', 'delivery_method', 'preview_front_url'];
const fileNames = ['tool_2d'];

const moves: Record<string, string[]> = {
  draft: ['submitted', 'cancelled'],
  submitted: ['draft', 'cancelled'],
  quoted: ['approved', 'rejected', 'submitted', 'cancelled'],
  approved: ['cancelled'],
  rejected: ['draft', 'submitted'],
  expired: ['draft', 'submitted'],
};
const closed = ['ordered', 'rejected', 'expired', 'cancelled'];

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const differs = (names: string[], a: QuoteRow, b: QuoteRow): boolean =>
  names.some(name => !isSame(a[name], b[name]));
const hasPassed = (time: unknown): boolean => typeof time === 'string' && Date.parse(time) <= Date.now();

const termsOf = (row: QuoteRow): unknown[] => termNames.map(name => row[name]);
const designOf = (row: QuoteRow): string => JSON.stringify(designNames.map(name => row[name]));
const hasPrice = (row: QuoteRow): boolean => row['unit_price'] !== null || row['total_price'] !== null;

export class Model {
  readonly events: Event[] = [];
  readonly offers: unknown[][] = [];
  /** The designs that the history has a digest of; undefined for one that is missing. */
  readonly #designs: (string | undefined)[] = [];

  /** Returns the quote after a request, or undefined if a rule refuses it. */
  apply(write: Resolved, before: QuoteRow): QuoteRow | undefined {
    const after: QuoteRow = { ...before, ...write.values };
    const hasMoved = after.status !== before.status;
    if (putsBack(write, before, after)) {
      return undefined;
    }
    const isPermitted =
      write.side === 'customer'
        ? mayCustomer(write.values, before, after)
        : this.#mayPrice(write, before, after);
    if (
      !isPermitted ||
      !this.#mayApprove(write, before, after) ||
      !keepsTerms(write, before, after) ||
      (after.status === 'quoted' && !mayOffer(before, after))
    ) {
      return undefined;
    }
    // 3. Submission.
    if (hasMoved && ['submitted', 'draft'].includes(after.status)) {
      const stays = after.status === 'submitted' && before.status === 'draft' ? ['expires_at'] : [];
      for (const name of ['unit_price', 'total_price', 'quoted_at', 'expires_at']) {
        after[name] = isSame(after[name], before[name]) && !stays.includes(name) ? null : after[name];
      }
    }
    // 4. Offer.
    if (after.status === 'quoted' && hasPassed(after['expires_at']) && isPriced(before, after)) {
      after['expires_at'] = null;
    }
    // 9. Stamps.
    const isOffer = hasPrice(after) && after.status !== 'draft';
    const isNewOffer = before.status === 'draft' || differs(termNames, before, after);
    if (!hasPrice(after)) {
      after['quoted_at'] = hasPrice(before) ? null : after['quoted_at'];
    } else if (isOffer && (isNewOffer || (write.side !== 'customer' && isPriced(before, after)))) {
      after['quoted_at'] = 'now';
    }
    if (hasMoved && ['submitted', 'draft'].includes(after.status)) {
      after['submitted_at'] = after.status === 'submitted' ? 'now' : null;
    }
    // 10. Fulfillment.
    if (before.status === 'ordered' && hasMoved) {
      after['fulfillment_status'] = null;
    }
    return after['fulfillment_status'] === null || after.status === 'ordered' ? after : undefined;
  }

  /** 5. Price, and 7. One. */
  #mayPrice({ named, others, rows, values }: Resolved, before: QuoteRow, after: QuoteRow): boolean {
    if (!isPriced(before, after)) {
      return true;
    }
    if (rows === 'filtered') {
      return false;
    }
    if (after.status !== 'draft' && others.has('submitted_at')) {
      return false;
    }
    const namesVersion = named.has('updated_at');
    const isNamed =
      (namesVersion && (before['submitted_at'] === null || named.has('submitted_at'))) ||
      after.status === 'draft';
    const hasOneDesign =
      this.#designs.length > 0 && this.#designs.every(design => design === designOf(before));
    const knowsCurrency =
      after['currency'] === 'USD' ||
      'currency' in values ||
      this.offers.some(offer => offer[priceNames.indexOf('currency')] === after['currency']);
    return (
      isNamed ||
      (['submitted', 'quoted', 'rejected', 'expired'].includes(before.status) &&
        hasOneDesign &&
        (namesVersion || knowsCurrency))
    );
  }

  /** 6. Approval, and 7. One. */
  #mayApprove({ named, others, rows, values }: Resolved, before: QuoteRow, after: QuoteRow): boolean {
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
    const isOtherPrice =
      before['total_price'] !== null && !isSame(after['total_price'], before['total_price']);
    if (isOtherPrice || (before['quoted_at'] !== null && others.has('quoted_at'))) {
      return false;
    }
    const terms = termsOf(after);
    const different = this.offers.filter(offered => !isSame(offered, terms));
    if (!this.offers.some(offered => isSame(offered, terms)) || differs(termNames, before, after)) {
      return named.has('updated_at');
    }
    const isOpen = ['quoted', 'approved', 'ordered'].includes(before.status);
    const ofThisTotal = different.filter(offered => isSame(offered[1], before['total_price']));
    return (
      named.has('quoted_at') ||
      (named.has('total_price') && ofThisTotal.length === 0) ||
      (isOpen && different.length === 0)
    );
  }

  /** Adds what a change writes into the history. `before` is undefined for a new quote. */
  note(side: Side, named: Resolved['named'], before: QuoteRow | undefined, after: QuoteRow): void {
    const events = eventsOf(side, before, after, this.events.at(-1));
    if (events.length === 0) {
      return;
    }
    const isOffer = after.status !== 'draft' && hasPrice(after);
    if (isOffer && !isSame(this.offers.at(-1), termsOf(after))) {
      this.offers.push(termsOf(after));
    }
    const leavesDraft = before === undefined || before.status === 'draft';
    const isShown = after.status !== 'draft' && (leavesDraft || designOf(before) !== designOf(after));
    const isRead = before?.status !== 'draft' || side === 'customer' || named.has('updated_at');
    if (isShown) {
      this.#designs.push(isRead ? designOf(after) : undefined);
    }
    for (const event of events) {
      this.events.push({
        event: `quote.${event}`,
        as: side,
        previous: before?.status ?? null,
        offer: isOffer ? this.offers.length || null : null,
        hasDigest: isShown && isRead,
      });
    }
  }
}

/** Returns what happened, as the table of events says. */
function eventsOf(side: Side, before: QuoteRow | undefined, after: QuoteRow, last?: Event): string[] {
  if (before === undefined) {
    return after.status === 'draft' ? [] : [after.status];
  }
  const stays = after.status === before.status;
  const stayed = stays && after.status !== 'draft' ? after.status : undefined;
  const isRepriced = stayed !== undefined && stayed !== 'ordered' && isPriced(before, after);
  const hasOtherDesign = designOf(before) !== designOf(after);
  const opensChange =
    side === 'customer' &&
    differs([...openNames, ...fileNames], before, after) &&
    !(last?.event === 'quote.changed' && last.as === side);
  const isChanged =
    stayed === undefined
      ? hasOtherDesign && before.status !== 'draft' && after.status !== 'draft'
      : stayed !== 'ordered' &&
        (hasOtherDesign || (!isRepriced && (differs(termNames, before, after) || opensChange)));
  const differ = (name: string): boolean => differs([name], before, after);
  const isDeleted = after['deleted_at'] !== null;
  return [
    !stays && after.status,
    stayed === 'ordered' && differs(termNames, before, after) && 'amended',
    isRepriced && 'repriced',
    isChanged && 'changed',
    stayed === 'quoted' && !isRepriced && differ('expires_at') && 'end_changed',
    stayed === 'ordered' && differ('estimated_delivery_at') && 'delivery_changed',
    differ('fulfillment_status') &&
      after['fulfillment_status'] !== null &&
      String(after['fulfillment_status']),
    isDeleted !== (before['deleted_at'] !== null) && (isDeleted ? 'deleted' : 'restored'),
  ].filter(event => event !== false);
}

/** Whether the request makes an offer, or sets another price or currency. A price that is removed is no price. */
const isPriced = (before: QuoteRow, after: QuoteRow): boolean =>
  (after.status === 'quoted' && before.status !== 'quoted') ||
  priceNames.some(name => after[name] !== null && !isSame(after[name], before[name]));

/** 5. Price: whether staff send an older row with a price or an order. */
const putsBack = ({ side, others }: Resolved, before: QuoteRow, after: QuoteRow): boolean =>
  side !== 'customer' &&
  others.has('updated_at') &&
  (isPriced(before, after) || (after.status === 'ordered' && before.status !== 'ordered'));

/** 1. Moves, and 2. Fields. */
function mayCustomer(values: object, before: QuoteRow, after: QuoteRow): boolean {
  const hasMoved = after.status !== before.status;
  const isDeleted = after['deleted_at'] !== null;
  if (
    before['deleted_at'] !== null ||
    ('total_price' in values && !isSame(after['total_price'], before['total_price']))
  ) {
    return false;
  }
  if (isDeleted && (hasMoved || !['draft', 'rejected', 'expired', 'cancelled'].includes(before.status))) {
    return false;
  }
  if (hasMoved && !moves[before.status]?.includes(after.status)) {
    return false;
  }
  if (before.status === 'draft' || after.status === 'draft') {
    return true;
  }
  const isClosed = closed.includes(before.status) && !hasMoved;
  const shut = [
    ...termNames.filter(name => !['unit_price', 'total_price'].includes(name)),
    ...(isClosed ? openNames : []),
    ...(after.status === 'submitted' ? [] : fileNames),
  ];
  return !differs(shut, before, after);
}

/** 4. Offer. */
const mayOffer = (before: QuoteRow, after: QuoteRow): boolean =>
  after['unit_price'] !== null &&
  after['total_price'] !== null &&
  !(hasPassed(after['expires_at']) && !isSame(after['expires_at'], before['expires_at']));

/** 8. Terms. */
const keepsTerms = ({ named }: Resolved, before: QuoteRow, after: QuoteRow): boolean =>
  !['approved', 'ordered'].includes(before.status) ||
  ['quoted', 'submitted'].includes(after.status) ||
  !differs(termNames, before, after) ||
  (before.status === 'ordered' && after.status === 'ordered' && named.has('updated_at'));
