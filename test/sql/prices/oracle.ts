/**
 * Judges what a request did to a quote by what its side has ever read: nobody approves terms that were not shown to them, and nobody
 * prices, without naming what they read, a design of which they have read another one. Any page that a side has opened may still be
 * open, so all of its readings count, and not only the last. It knows no rules, events or offers.
 */
import type { Side } from './actions.ts';
import { isSame, type QuoteRow, termNames } from './model.ts';

const priceColumns = ['unit_price', 'total_price', 'currency'];
const designColumns = termNames.filter(name => !priceColumns.includes(name));

export interface Deed {
  side: Side;
  /** What the request names of the row: its version is its only reading that counts, and its price selects them. */
  named: 'nothing' | 'version' | 'price';
  values: object;
  before: QuoteRow;
  after: QuoteRow;
  /** All that the side has read, the reading that a version names last. */
  readings: QuoteRow[];
}

/** Returns the columns that a reading shows otherwise, and that the request does not write itself. */
const unread = (columns: string[], { values, after }: Deed, readings: QuoteRow[]): string[] =>
  columns.filter(
    name => !Object.hasOwn(values, name) && readings.some(reading => !isSame(reading[name], after[name])),
  );

/** The statuses in which a page that offers to approve or order shows the quote. */
export const shownBefore: Record<string, string[]> = {
  approved: ['quoted', 'approved', 'ordered'],
  ordered: ['quoted', 'approved', 'ordered'],
};

/** What is wrong with a deed; undefined when nothing is. */
export function judge(deed: Deed): string | undefined {
  const { side, named, values, before, after } = deed;
  const isOrdered = after.status === 'ordered' && !['approved', 'ordered'].includes(before.status);
  if ((after.status === 'approved' && 'status' in values) || isOrdered) {
    const shown = deed.readings.filter(({ status }) => shownBefore[after.status]?.includes(status));
    const ofPrice = shown.filter(reading => isSame(reading['total_price'], before['total_price']));
    const readings = { nothing: shown, version: deed.readings.slice(-1), price: ofPrice }[named];
    const wrong = unread(termNames, deed, readings);
    return wrong.length > 0 ? `agreed to ${wrong.join()} that its approver had read otherwise` : undefined;
  }
  // A customer sets no price, and the price of a draft is no offer.
  const isPriced =
    side !== 'customer' &&
    after.status !== 'draft' &&
    ((after.status === 'quoted' && before.status !== 'quoted') ||
      priceColumns.some(name => after[name] !== null && !isSame(before[name], after[name])));
  if (!isPriced) {
    return undefined;
  }
  // Who read a draft and prices what was submitted is the known rest: staff don't price drafts.
  const readings =
    named === 'version' ? deed.readings.slice(-1) : deed.readings.filter(({ status }) => status !== 'draft');
  const wrong = unread(designColumns, deed, readings);
  return wrong.length > 0 ? `priced for ${wrong.join()} that its pricer had read otherwise` : undefined;
}
