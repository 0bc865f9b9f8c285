/**
 * Judges what a request did to a quote by what its side had read: nobody approves terms that were not shown to them, and nobody
 * prices a design that they have not read. It knows no rules, events or offers. It compares rows as they were, as they are, and
 * as they were last read.
 */
import type { Naming, Side } from './actions.ts';
import { isSame, type QuoteRow, termNames } from './model.ts';

const priceColumns = ['unit_price', 'total_price', 'currency'];
const sizeColumns = termNames.filter(name => !priceColumns.includes(name));
const contentColumns = [...sizeColumns, 'currency', 'customer_notes', 'delivery_method'];

/** The columns whose value is neither what was read nor what the request itself wrote. */
const unread = (columns: string[], after: QuoteRow, seen: QuoteRow | undefined, values: object): string[] =>
  columns.filter(
    name => !Object.hasOwn(values, name) && (seen === undefined || !isSame(after[name], seen[name])),
  );

/** Knows the quote as its customer first submitted it, or as it was last priced. */
export class Known {
  #row: QuoteRow | undefined;
  #wasSubmitted = false;

  /** Whether its content is still the same, so that whoever priced or submitted it knew what is priced now. */
  isContentOf(row: QuoteRow): boolean {
    const known = this.#row;
    return known !== undefined && contentColumns.every(name => isSame(known[name], row[name]));
  }

  note(before: QuoteRow, after: QuoteRow): void {
    const isSubmitted = after.status === 'submitted' && before.status === 'draft';
    const isPriced =
      after.status !== 'draft' &&
      (after['unit_price'] !== null || after['total_price'] !== null) &&
      priceColumns.some(name => !isSame(before[name], after[name]));
    if (isPriced || (isSubmitted && !this.#wasSubmitted)) {
      // Whoever set a price and another design knew both, and nobody else did.
      const isAsBefore = contentColumns.every(
        name => name === 'currency' || isSame(before[name], after[name]),
      );
      this.#row = isSubmitted || isAsBefore ? after : undefined;
    }
    this.#wasSubmitted ||= isSubmitted;
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
  isKnown: boolean;
}

/** What is wrong with a deed; undefined when nothing is. */
export function judge({ side, naming, values, before, after, seen, isKnown }: Deed): string | undefined {
  const hasMoved = before.status !== after.status;
  const isOrdered = after.status === 'ordered' && !['approved', 'ordered'].includes(before.status);
  if ((after.status === 'approved' && 'status' in values) || isOrdered) {
    const wrong = unread(termNames, after, seen, values);
    return wrong.length > 0 ? `agreed to ${wrong.join()} that its approver had not read` : undefined;
  }
  // A customer may choose the currency of a draft, and sets no price. The price of a draft is no offer.
  const isOffered = hasMoved && after.status === 'quoted';
  const isPriced =
    side !== 'customer' &&
    after.status !== 'draft' &&
    (isOffered || priceColumns.some(name => after[name] !== null && !isSame(before[name], after[name])));
  if (!isPriced) {
    return undefined;
  }
  // A price with a move to submitted is no offer: the move to quoted names all of it.
  const ofOffer = isOffered ? priceColumns.filter(name => after[name] !== 'USD') : [];
  const saysAll = ofOffer.every(name => Object.hasOwn(values, name));
  const wrong =
    naming !== 'version' && isKnown && saysAll
      ? []
      : unread([...contentColumns, ...ofOffer], after, seen, values);
  return wrong.length > 0 ? `priced for ${wrong.join()} that its pricer had not read` : undefined;
}
