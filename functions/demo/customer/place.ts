/** Addresses of the customer's side. */

export const listPlace = '#customer';

/** Returns the address of a quote, or of one that isn't saved yet. */
export const placeOf = (id: string, isSaved = true): string => `#customer?${isSaved ? 'quote' : 'new'}=${id}`;

/** Opens a new design. Its id is chosen here, so that it can be reloaded, and saved again when an answer was lost. */
export function beginDesign(): void {
  location.hash = placeOf(crypto.randomUUID(), false);
}
