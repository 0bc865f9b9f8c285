/** The library of logos. It changes rarely, so it is read once for all components. */
import { useEffect, useState } from 'react';
import type { Client } from './supabase.ts';

async function readLibrary(client: Client) {
  for (;;) {
    const { data } = await client
      .from('graphics')
      .select('code, name, file_url, tags')
      .order('sort_order')
      .order('id');
    if (data) {
      return data;
    }
    await new Promise(resolve => setTimeout(resolve, 3000));
  }
}

export type Library = Awaited<ReturnType<typeof readLibrary>>;

const libraries = new WeakMap<Client, Promise<Library>>();

/** Returns the graphic with a code, when the library has it. */
export const useLogo = (client: Client, code: string) =>
  useLibrary(client)?.find(graphic => graphic.code === code);

/** Returns the graphics; null until they are read, which is tried until it succeeds. */
export function useLibrary(client: Client): Library | null {
  const [library, setLibrary] = useState<Library | null>(null);
  useEffect(() => {
    const reading = libraries.get(client) ?? readLibrary(client);
    libraries.set(client, reading);
    reading.then(setLibrary);
  }, [client]);
  return library;
}
