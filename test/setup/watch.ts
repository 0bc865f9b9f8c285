/** Checks everything that a service under test logs, and all its error responses to `fetch`. */
import type { Secrets } from './secrets.ts';

interface Watched {
  secrets: Secrets;
  errors: Promise<string>[];
}

const watched = new Map<string, Watched>();
const unwatched = globalThis.fetch;

/** Replaces the global `fetch`, which supabase-js and the tests call. */
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

/** Watches until `leaks` is called. */
export function watchService(origin: string, logs: readonly string[], secrets: Secrets) {
  globalThis.fetch = watchingFetch;
  const watch: Watched = { secrets, errors: [] };
  watched.set(origin, watch);
  return {
    /** Resolves to a sentence for each secret that was exposed. Ends the watch. */
    async leaks(): Promise<string[]> {
      watched.delete(origin);
      const errors = await Promise.all(watch.errors);
      return [
        ...secrets.inLog(logs).map(what => `The log tells ${what}`),
        ...errors.flatMap(text => secrets.inError(text).map(what => `An error tells ${what}: ${text}`)),
      ];
    },
  };
}
