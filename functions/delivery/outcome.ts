/** How an attempt to deliver something ended. */
export type Outcome =
  /** The receiver has taken it. */
  | { is: 'sent' }
  /** It is tried again later, in so many seconds if the receiver says when. */
  | { is: 'failed'; reason: string; retryAfter?: number }
  /** It is never tried again; `refuses`: nor is anything else for this address, or this webhook, for a while. */
  | { is: 'dead'; reason: string; refuses?: boolean }
  /** Nothing can be sent to anybody now: no attempt of any counts, and all wait. */
  | { is: 'unavailable'; reason: string };
