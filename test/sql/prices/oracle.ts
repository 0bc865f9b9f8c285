/**
 * Judges what a request did to a quote by what its side had read. It knows nothing of versions, marks or offers: it compares
 * rows as they were, as they are, and as they were last read.
 */
import type { Naming, Side } from './actions.ts';

export type QuoteRow = Record<string, unknown> & { status: string };

const priceColumns = ['unit_price', 'total_price', 'currency'];
/** The names of a roster are in the customization. */
const sizeColumns = ['roster_count', 'size_breakdown', 'customization'];
const contentColumns = [...sizeColumns, 'currency', 'customer_notes', 'delivery_method'];

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The columns whose value is neither what was read nor what the request itself wrote. */
const unread = (columns: string[], after: QuoteRow, seen: QuoteRow | undefined, values: object): string[] =>
  columns.filter(
    name => !Object.hasOwn(values, name) && (seen === undefined || !isSame(after[name], seen[name])),
  );

/** What happened to a quote so far, in the words of the README. */
export class History {
  /** Submitted by its customer, once, and since neither touched by it nor sent back by staff. */
  isPlain = false;
  #wasSubmitted = false;

  note(side: Side | 'sweep', before: QuoteRow, after: QuoteRow): void {
    if (isSame(before, after)) {
      return;
    }
    const isSubmitted = after.status === 'submitted' && before.status === 'draft';
    if (side === 'customer') {
      this.isPlain = isSubmitted && !this.#wasSubmitted;
      this.#wasSubmitted ||= isSubmitted;
    } else if (
      before.status !== after.status &&
      (after.status === 'draft' || (after.status === 'submitted' && before.status !== 'quoted'))
    ) {
      this.isPlain = false;
      this.#wasSubmitted = true;
    }
  }
}

export interface Deed {
  side: Side;
  naming: Naming;
  values: object;
  before: QuoteRow;
  after: QuoteRow;
  /** As the side last read it, if it did, with what the side has itself written since. */
  seen: QuoteRow | undefined;
  isPlain: boolean;
}

/** What is wrong with a deed; undefined when nothing is. */
export function judge({ side, naming, values, before, after, seen, isPlain }: Deed): string | undefined {
  const hasMoved = before.status !== after.status;
  const terms = [...priceColumns, ...sizeColumns];
  const hasOtherTerms = terms.some(name => !isSame(before[name], after[name]));
  if (after.status === 'ordered' && hasOtherTerms && before.status === 'approved') {
    return 'ordered at other terms than were approved';
  }
  if (after.status === 'ordered' && hasOtherTerms && before.status === 'ordered' && naming !== 'version') {
    return 'an order amended by who named no version';
  }
  if (hasMoved && after.status === 'submitted' && before.status !== 'draft') {
    const old = ['unit_price', 'total_price'].filter(
      name => after[name] !== null && isSame(before[name], after[name]),
    );
    if (old.length > 0) {
      return `submitted again with the ${old.join()} of before`;
    }
  }
  if (after.status === 'approved') {
    const wrong = hasMoved
      ? unread(terms, after, seen, values)
      : terms.filter(name => !isSame(before[name], after[name]));
    return wrong.length > 0 ? `approved at ${wrong.join()} that its approver had not read` : undefined;
  }
  // A customer may choose the currency of a draft, and sets no price. The price of a draft is no offer.
  const isPriced =
    side === 'staff' &&
    ((hasMoved && after.status === 'quoted') ||
      (after.status !== 'draft' &&
        priceColumns.some(name => after[name] !== null && !isSame(before[name], after[name]))));
  if (!isPriced) {
    return undefined;
  }
  // Who names nothing may price what was submitted once and not touched since, if the request says all of the price.
  const ofMove = hasMoved ? priceColumns.filter(name => after[name] !== 'USD' && after[name] !== null) : [];
  const saysAll = ofMove.every(name => Object.hasOwn(values, name));
  const isPlainPricing = naming !== 'version' && isPlain && seen !== undefined && saysAll;
  const wrong = isPlainPricing ? [] : unread([...contentColumns, ...ofMove], after, seen, values);
  return wrong.length > 0 ? `priced for ${wrong.join()} that its pricer had not read` : undefined;
}
