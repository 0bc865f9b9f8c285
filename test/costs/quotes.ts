/** Requests about quotes of the attacking customer. */
import type { RawRequest } from '../fuzz/send.ts';
import { aQuote } from '../setup/rows.ts';
import { json, type Target } from './target.ts';

/** The customer's POST of a quote; `more` has further columns. */
export const postQuote = ({ callers, account }: Target, more: object, headers = {}): RawRequest => ({
  method: 'POST',
  path: '/rest/v1/quotes',
  headers: { ...callers.customer, ...json, ...headers },
  body: JSON.stringify(aQuote(account, more)),
});

/** Stores quotes, and throws when one is refused, because the test would attack nothing then. */
export async function store(target: Target, rows: object[]): Promise<void> {
  for (const row of rows) {
    const { status, text } = await target.sender.send(postQuote(target, row));
    if (status !== 201) {
      throw new Error(`The quote was not stored: ${text} ${JSON.stringify(row).slice(0, 200)}`);
    }
  }
}

/** Encodes only what must be encoded, because the URL's length is limited. */
export const query = (parameters: Record<string, string>): string =>
  Object.entries(parameters)
    .map(parameter => parameter.map(lightlyEncoded).join('='))
    .join('&');

const lightlyEncoded = (text: string): string =>
  text.replace(/[^\w\-.~!*(),:;/?@$[\]{}|]/gu, encodeURIComponent);
