/**
 * Judges what a request did to a quote by what its side has ever read: nobody approves terms that were not shown to them, and nobody
 * prices, without naming what they read, a design of which they have read another one. Any page that a side has opened may still be
 * open, so all of its readings count, and not only the last. It knows no rules, events or offers.
 */
import type { NameColumn, Side } from './actions.ts';
import { isSame, type QuoteRow, termNames } from './model.ts';

const priceColumns = ['unit_price', 'total_price', 'currency'];
const designColumns = termNames.filter(name => !priceColumns.includes(name));

/** What a side holds of the quote: what was shown to it, or that with the version of a later response, which showed no more. */
export interface Reading {
  row: QuoteRow;
  showsOnlyVersion: boolean;
}

export interface Deed {
  side: Side;
  /** What the request names of the row. The readings that show the named values count. */
  named: ReadonlySet<NameColumn>;
  values: object;
  before: QuoteRow;
  after: QuoteRow;
  /** All that the side has read, the one that the request was sent from last. */
  readings: Reading[];
  /** Staff have changed the design since it was submitted. */
  isRedesigned: boolean;
  /** Its terms were never offered, or change in the request itself. */
  isUnoffered: boolean;
}

/** Returns the columns that a reading shows otherwise, and that the request does not write itself. */
const unread = (columns: string[], { values, after }: Deed, readings: Reading[]): string[] =>
  columns.filter(
    name => !Object.hasOwn(values, name) && readings.some(({ row }) => !isSame(row[name], after[name])),
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
    const last = deed.readings.slice(-1);
    // Who was shown a version without what it names is the known rest, where nothing was offered.
    if (deed.isUnoffered && last[0]?.showsOnlyVersion) {
      return undefined;
    }
    const shown = deed.readings.filter(({ row }) => shownBefore[after.status]?.includes(row.status));
    const ofColumn = (name: NameColumn) => shown.filter(({ row }) => isSame(row[name], before[name]));
    const readings = named.has('quoted_at')
      ? ofColumn('quoted_at')
      : named.has('total_price')
        ? ofColumn('total_price')
        : deed.isUnoffered
          ? last
          : shown;
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
  // The known rest: who read a draft and prices what was submitted, and a version without what it names where staff have changed
  // the design since the submission, or where nothing was submitted.
  const isNamed = named.has('updated_at') && (before['submitted_at'] === null || named.has('submitted_at'));
  const readings = isNamed
    ? deed.readings.slice(-1)
    : deed.readings.filter(({ row }) => row.status !== 'draft');
  if (isNamed && readings[0]?.showsOnlyVersion && (deed.isRedesigned || before['submitted_at'] === null)) {
    return undefined;
  }
  const wrong = unread(designColumns, deed, readings);
  return wrong.length > 0 ? `priced for ${wrong.join()} that its pricer had read otherwise` : undefined;
}
