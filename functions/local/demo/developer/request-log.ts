/** What both sides send to the service, its responses, and the live changes. */

export type Who = 'customer' | 'staff';

export interface Entry {
  id: number;
  who: Who;
  /** `GET`, or of a live change `UPDATE`. */
  method: string;
  path: string;
  /** Null while the request is running, without a response, and for a live change. */
  status: number | null;
  /** Whether it failed, by its status or without a response. */
  hasFailed: boolean;
  milliseconds: number | null;
  sent: string;
  received: string;
}

/** Entries, and characters of a body, that are kept at most. */
const kept = { entries: 100, characters: 4000 };

let entries: readonly Entry[] = [];
const listeners = new Set<() => void>();
let lastId = 0;

function set(next: readonly Entry[]): void {
  entries = next.slice(0, kept.entries);
  for (const listener of listeners) {
    listener();
  }
}

function add(entry: Omit<Entry, 'id'>): number {
  lastId++;
  set([{ ...entry, id: lastId }, ...entries]);
  return lastId;
}

const change = (id: number, changed: Partial<Entry>): void =>
  set(entries.map(entry => (entry.id === id ? { ...entry, ...changed } : entry)));

const cut = (text: string): string =>
  text.length > kept.characters ? `${text.slice(0, kept.characters)}…` : text;

/** For `useSyncExternalStore`: the entries, newest first. */
export const requestLog = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly Entry[] => entries,
  clear: (): void => set([]),
};

/** Returns a `fetch` that writes into the log. */
export const logFetch =
  (who: Who): typeof fetch =>
  async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.href);
    const started = performance.now();
    const sent = typeof init?.body === 'string' ? cut(init.body) : '';
    const id = add({
      ...{ who, method: init?.method ?? 'GET', path: decode(pathname + search), sent },
      ...{ status: null, hasFailed: false, milliseconds: null, received: '' },
    });
    const end = (changed: Partial<Entry>) =>
      change(id, { milliseconds: Math.round(performance.now() - started), ...changed });
    try {
      const response = await fetch(input, init);
      end({ status: response.status, hasFailed: !response.ok });
      // A body that breaks off is an error of who reads it, not of the log.
      response
        .clone()
        .text()
        .then(
          text => change(id, { received: cut(text) }),
          () => {},
        );
      return response;
    } catch (error) {
      end({ hasFailed: true, received: String(error) });
      throw error;
    }
  };

/** Returns an address as one reads it. A search for `%` leaves a text that can't be decoded as a whole. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

interface LiveChange {
  eventType: string;
  table: string;
  new: { id?: unknown };
  old: { id?: unknown };
}

/** Writes a live change into the log. */
export function logChange(who: Who, { eventType, table, new: row, old }: LiveChange): void {
  const record = eventType === 'DELETE' ? old : row;
  add({
    ...{ who, method: eventType, path: `${table} ${record.id}`, status: null, hasFailed: false },
    ...{ milliseconds: null, sent: '', received: cut(JSON.stringify(record, null, 1)) },
  });
}
