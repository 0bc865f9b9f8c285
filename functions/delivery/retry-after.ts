/** The header Retry-After of an answer: RFC 9110, 10.2.3. */
import { limits } from '../common/limits.ts';

/** An IMF-fixdate, which is the form that servers send. */
const date = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the seconds from now on after which the receiver wants to be asked again, at most a day; undefined when it
 * doesn't say so, or names a time that is over. `now` is in milliseconds since 1970.
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : date.test(text) ? (Date.parse(text) - now) / 1000 : 0;
  return seconds > 0 ? Math.min(Math.ceil(seconds), limits.webhook.retryAfterSeconds) : undefined;
}
