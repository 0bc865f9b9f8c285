/** The result of a read, kept up to date. */
import { useEffect, useState } from 'react';
import type { Client } from './supabase.ts';

interface Result<T> {
  data: T | null;
  error: { message: string } | null;
}

export interface Live<T> extends Result<T> {
  /** Whether a read is running. The data of the read before stay until it ends, and when it fails. */
  isLoading: boolean;
}

/** The tables whose changes are listened to, each with a filter, for example `id=eq.<id>`, or an empty text. */
type Tables = { [Table in 'quotes' | 'notifications' | 'quote_events']?: string };

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
let channels = 0;

/**
 * Reads, and reads again when rows of the tables have changed, but at most once in `interval` milliseconds. `read` must be the same
 * function until it reads something else.
 */
export function useLive<T>(
  client: Client,
  tables: Tables,
  read: () => PromiseLike<Result<T>>,
  interval = 250,
): Live<T> {
  const listened = JSON.stringify(tables);
  const [live, setLive] = useState<Live<T>>({ data: null, error: null, isLoading: true });
  useEffect(() => {
    let isMounted = true;
    let isReading = false;
    let isStale = false;
    async function reload() {
      isStale = true;
      if (isReading) {
        return; // A change during a read may not be in it: another one follows.
      }
      isReading = true;
      while (isStale && isMounted) {
        isStale = false;
        setLive(previous => ({ ...previous, isLoading: true }));
        const { data, error } = await read();
        if (isMounted) {
          setLive(previous => ({ data: error ? previous.data : data, error, isLoading: false }));
        }
        isStale ||= error !== null;
        await sleep(error ? Math.max(interval, 2000) : interval);
      }
      isReading = false;
    }
    const entries = Object.entries<string>(JSON.parse(listened));
    const channel = client
      .channel(`${entries.map(([table]) => table)} ${channels++}`)
      .on('system', {}, ({ status }) => void (status === 'error' && reload())); // It missed changes.
    for (const [table, filter] of entries) {
      const changes = { event: '*', schema: 'public', table, ...(filter && { filter }) } as const;
      channel.on('postgres_changes', changes, reload);
    }
    // Changes are sent from SUBSCRIBED on, so it reads then, although it has read before.
    client.realtime.setAuth().then(() => isMounted && channel.subscribe(reload));
    addEventListener('online', reload);
    reload();
    return () => {
      isMounted = false;
      removeEventListener('online', reload);
      client.removeChannel(channel);
    };
  }, [client, listened, read, interval]);
  return live;
}
