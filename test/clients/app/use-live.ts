/** What a read finds, always as it is now. */
import { useEffect, useState } from 'react';
import { supabase } from './supabase.ts';

interface Found<T> {
  data: T | null;
  error: { message: string } | null;
}

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
let channels = 0;

/** Reads, and reads again whenever a row of the table has changed. `read` is the same function in every render. */
export function useLive<T>(table: 'quotes' | 'notifications', read: () => PromiseLike<Found<T>>): Found<T> {
  const [found, setFound] = useState<Found<T>>({ data: null, error: null });
  useEffect(() => {
    let isMounted = true;
    let isReading = false;
    let isStale = false;
    async function reload() {
      isStale = true;
      if (isReading) {
        return; // What has changed during a read may not be in it: another one follows.
      }
      isReading = true;
      while (isStale && isMounted) {
        isStale = false;
        const { data, error } = await read();
        if (isMounted) {
          setFound(previous => ({ data: data ?? previous.data, error }));
        }
        isStale ||= error !== null;
        await sleep(error ? 2000 : 250); // Four reads a second at most, however much changes.
      }
      isReading = false;
    }
    const channel = supabase
      .channel(`${table} ${channels++}`)
      .on('postgres_changes', { event: '*', schema: 'public', table }, reload)
      .on('system', {}, ({ status }) => status === 'error' && reload()); // It missed changes.
    // It reads whenever it has joined, as it was told nothing before, and when it can't join.
    supabase.realtime.setAuth().then(() => isMounted && channel.subscribe(reload));
    return () => {
      isMounted = false;
      supabase.removeChannel(channel);
    };
  }, [table, read]);
  return found;
}
