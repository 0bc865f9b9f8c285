/** Looks at everything a service under test logs and every error it answers, whoever asked by `fetch`. */
import type { Secrets } from './secrets.ts';

export interface Watch {
  /** What was told that must not be: a sentence each. Ends the watch. */
  leaks(): Promise<string[]>;
}

interface Watched {
  secrets: Secrets;
  errors: Promise<string>[];
}

const watched = new Map<string, Watched>();
const unwatched = globalThis.fetch;

/** supabase-js and the tests themselves call the global `fetch`: this is in its place. */
async function watchingFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await unwatched(input, init);
  const url = new URL(input instanceof Request ? input.url : input);
  const watch = watched.get(url.origin);
  watch?.secrets.addRequest(url.search, new Headers(init?.headers), init?.body);
  if (watch && response.status >= 400) {
    watch.errors.push(
      response
        .clone()
        .text()
        .catch(() => ''),
    );
  }
  return response;
}

/** From now on until `leaks` is asked for. */
export function watchService(origin: string, logs: readonly string[], secrets: Secrets): Watch {
  globalThis.fetch = watchingFetch;
  const watch: Watched = { secrets, errors: [] };
  watched.set(origin, watch);
  return {
    async leaks() {
      watched.delete(origin);
      const errors = await Promise.all(watch.errors);
      return [
        ...secrets.inLog(logs).map(what => `The log tells ${what}`),
        ...errors.flatMap(text => secrets.inError(text).map(what => `An error tells ${what}: ${text}`)),
      ];
    },
  };
}
