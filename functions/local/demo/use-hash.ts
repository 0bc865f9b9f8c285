/** The place in the page: the side, and what that side keeps behind a question mark. */
import { useSyncExternalStore } from 'react';

export type Side = 'customer' | 'staff';

/** The last hash of each side, for the links between them. */
const hashes: Record<Side, string> = { customer: '#customer', staff: '#staff' };

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** Returns the side in the address. `#/staff` is the same as `#staff`. */
function readSide(): Side {
  const [name] = location.hash.replace(/^#\/?/, '').split('?');
  const side = name === 'staff' ? 'staff' : 'customer';
  hashes[side] = location.hash || `#${side}`;
  return side;
}

/** Returns the side that is shown, and each side's last hash. */
export function useHash(): { side: Side; hashes: Readonly<Record<Side, string>> } {
  const side = useSyncExternalStore(subscribe, readSide);
  return { side, hashes };
}
