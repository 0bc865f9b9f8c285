/** The library of logos. It changes rarely, so it is read once for all components. */
import { useEffect, useReducer, useState } from 'react';
import type { Client } from '../supabase.ts';
import { useSession } from '../use-session.ts';

const readLibrary = (client: Client) =>
  client.from('graphics').select('code, name, file_url, tags').order('sort_order').order('id');

type Library = Awaited<ReturnType<typeof readLibrary>>;
export type Graphic = NonNullable<Library['data']>[number];

const libraries = new WeakMap<Client, PromiseLike<Library>>();

/** Returns the graphics; null until they are read, and an error when they can't be. */
export function useLibrary(): { graphics: Graphic[] | null; hasFailed: boolean } {
  const { client } = useSession().customer;
  const [library, setLibrary] = useState<Library>();
  const [attempt, tryAgain] = useReducer((attempts: number) => attempts + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt reads again.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const reading = libraries.get(client) ?? readLibrary(client).then(answer => answer);
    libraries.set(client, reading);
    reading.then(answer => {
      setLibrary(answer);
      if (answer.error) {
        libraries.delete(client);
        timer = setTimeout(tryAgain, 3000);
      }
    });
    return () => clearTimeout(timer);
  }, [client, attempt]);
  return { graphics: library?.data ?? null, hasFailed: library?.error != null };
}
