/** What builder.offer_of returns, and what changed since the offer before. */

export interface Player {
  name: string | null;
  number: string | null;
  size: string | null;
}

/** The terms of an offer, without the design's data. */
export interface Terms {
  number: number;
  created_at: string;
  unit_price: number | null;
  total_price: number | null;
  currency: string;
  sport: string;
  rush_order: boolean | null;
  roster_count: number | null;
  size_breakdown: Record<string, number> | null;
  colors: Record<string, unknown> | null;
  preview_front_url: string | null;
  preview_back_url: string | null;
  /** Null where the link does not show the roster. */
  players: Player[] | null;
}

/** Who brought the quote to its status, and when. */
interface AnswerGiven {
  at: string;
  /** The name that the holder of a link gave. */
  signer: string | null;
  by: 'link' | 'customer' | 'seller';
}

/** A quote that is not offered. */
interface Unoffered {
  status: string;
  seller: string | null;
  answer: AnswerGiven | null;
}

export interface Offer extends Unoffered {
  terms: string | null;
  may: 'read' | 'approve';
  quote_number: string;
  company: string | null;
  expires_at: string | null;
  has_ended: boolean;
  time_zone: string;
  offer: Terms;
  before: Terms | null;
  has_other_design: boolean;
}

export type ShownOffer = Unoffered | Offer;

export const isOffered = (shown: ShownOffer): shown is Offer => 'offer' in shown;

/** Whether the holder of the link can answer now. */
export const isOpen = (shown: ShownOffer): shown is Offer =>
  isOffered(shown) && shown.status === 'quoted' && !shown.has_ended && shown.may === 'approve';

export const changeNames = [
  'unit_price',
  'total_price',
  'roster_count',
  'size_breakdown',
  'rush_order',
  'sport',
  'colors',
  'players',
] as const;

export type ChangeName = (typeof changeNames)[number] | 'design';

/** Returns what differs from the offer before, and `design` for what the page does not show. */
export function changesOf({ offer, before, has_other_design }: Offer): ChangeName[] {
  if (before === null) {
    return [];
  }
  const differ = changeNames.filter(
    name =>
      canonical(offer[name]) !== canonical(before[name]) ||
      (name.endsWith('price') && offer.currency !== before.currency),
  );
  return [...differ, ...(has_other_design ? (['design'] as const) : [])];
}

/** Returns JSON whose keys are in order. Postgres stores them in its own order, so equal objects are equal texts already. */
const canonical = (value: unknown): string => JSON.stringify(value ?? null);
