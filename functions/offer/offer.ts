/** What builder.offer_of returns. */

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

/** Who brought the quote to its status, or approved what is ordered, and when. */
export interface AnswerGiven {
  status: string;
  /** The number of the offer that was answered; null without a price. */
  offer: number | null;
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
  /** The answer to an earlier offer, if that brought the quote to its status. `answer` is null then. */
  earlier_answer: AnswerGiven | null;
  /** The terms of sale. */
  terms: string | null;
  terms_digest: string;
  may: 'read' | 'approve';
  quote_number: string;
  company: string | null;
  expires_at: string | null;
  has_ended: boolean;
  time_zone: string;
  offer: Terms;
  /** The offer of `changes_since`, if it is the one before this one. */
  before: Terms | null;
  /** The number of the earlier offer that was answered, or read, else of the one before. */
  changes_since: number | null;
  changes: ChangeName[];
}

/** What differs between two offers. `design` is what the page does not show. */
export type ChangeName =
  | 'unit_price'
  | 'total_price'
  | 'roster_count'
  | 'size_breakdown'
  | 'rush_order'
  | 'sport'
  | 'colors'
  | 'players'
  | 'design';

export type ShownOffer = Unoffered | Offer;

export const isOffered = (shown: ShownOffer): shown is Offer => 'offer' in shown;

/** Whether the holder of the link can answer now. */
export const isOpen = (shown: ShownOffer): shown is Offer =>
  isOffered(shown) && shown.status === 'quoted' && !shown.has_ended && shown.may === 'approve';
