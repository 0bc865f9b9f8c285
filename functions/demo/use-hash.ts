/** The place in the page: the side, and what that side keeps behind a question mark. */
import { useSyncExternalStore } from 'react';
import { uuidPattern } from '../../schema/uuid.ts';

export type Side = 'customer' | 'staff';

/** The last hash of each side, for the links between them. */
const hashes: Record<Side, string> = { customer: '#customer', staff: '#staff' };

/** Whether a parameter can be the id of a quote: a link may be cut off. */
export const isId = (text: string): boolean => uuidPattern.test(text);

/** Splits a hash such as `#staff?state=submitted`. `#/staff` is the same as `#staff`, and e-mails link to `#/quotes/<id>`. */
function splitHash(hash: string): [side: Side, parameters: string] {
  const [name, parameters = ''] = hash.replace(/^#\/?/, '').split('?');
  const linked = /^quotes\/(.+)/.exec(name ?? '')?.[1];
  return [name === 'staff' ? 'staff' : 'customer', linked ? `quote=${linked}` : parameters];
}

function remember(): void {
  const [side] = splitHash(location.hash);
  hashes[side] = location.hash || `#${side}`;
}
remember();
addEventListener('hashchange', remember);

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** Returns the side that is shown, its parameters, and each side's last hash. */
export function useHash() {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const [side, parameters] = splitHash(hash);
  return { side, parameters: new URLSearchParams(parameters), hashes: hashes as Readonly<typeof hashes> };
}

/** The address of the customer's quotes. */
export const listPlace = '#customer';

/** Returns the address of a quote, or of one that isn't saved yet. */
export const placeOf = (id: string, isSaved = true): string => `#customer?${isSaved ? 'quote' : 'new'}=${id}`;

/** Opens a new design. Its id is chosen here, so that it can be reloaded, and saved again when an answer was lost. */
export function beginDesign(): void {
  location.hash = placeOf(crypto.randomUUID(), false);
}
