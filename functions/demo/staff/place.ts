/** The place in the desk: what the queue shows, and the quote that is open. It is in the address, so that it survives a reload. */
import { isId, useHash } from '../use-hash.ts';
import { isStateName, type StateName } from './states.ts';

export interface Place {
  state: StateName;
  /** The text that is searched for. */
  q: string;
  rush: boolean;
  /** From 1. */
  page: number;
  /** The id of the open quote; empty for none. */
  quote: string;
}

/** Characters of a search, at most. */
export const searchLength = 100;

const side = '#staff';

/** Returns the place in an address. What is missing or invalid is the default. */
function readPlace(values: URLSearchParams): Place {
  const text = (name: string) => values.get(name) ?? '';
  const state = text('state');
  const page = Number(text('page'));
  return {
    state: isStateName(state) ? state : 'submitted',
    q: text('q').slice(0, searchLength),
    rush: text('rush') === '1',
    page: Number.isSafeInteger(page) && page > 0 && page < 1e6 ? page : 1,
    quote: isId(text('quote')) ? text('quote') : '',
  };
}

/** Returns the address of a place. It leaves out what is the default. */
export function hashOf({ state, page, rush, q, quote }: Place): string {
  const values = Object.entries({
    state: state === 'submitted' ? '' : state,
    q,
    rush: rush ? '1' : '',
    page: page === 1 ? '' : String(page),
    quote,
  }).filter(([, value]) => value !== '');
  return values.length === 0 ? side : `${side}?${new URLSearchParams(values)}`;
}

/**
 * Goes to a place without a new entry in the history of the browser, for what changes as one types. Listeners are called
 * at once: fields that show the place would otherwise have their old value for a moment.
 */
export function replacePlace(place: Place): void {
  history.replaceState(null, '', hashOf(place));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Returns the place in the address. */
export const usePlace = (): Place => readPlace(useHash().parameters);
