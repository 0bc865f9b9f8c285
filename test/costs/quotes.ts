/** Quotes of the attacking customer, as large as the service accepts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { aQuote } from '../setup/rows.ts';
import { type CostlyRequest, Sender } from './sender.ts';
import { json, type Target } from './target.ts';

/** Sizes to try for a text, in bytes: a column accepts the first, or one of those after it. */
const sizes = [1_000_000, 250_000, 60_000, 9_900, 1_900, 450, 200];

/** The customer's POST of a quote; `more` has further columns. */
export const postQuote = ({ callers, account }: Target, more: object, headers = {}): CostlyRequest => ({
  method: 'POST',
  path: '/rest/v1/quotes',
  headers: { ...callers.customer, ...json, ...headers },
  body: JSON.stringify(aQuote(account, more)),
});

/** Stores a quote with the largest text that the service accepts in a column, and returns its size in bytes. */
export async function storeLargest(target: Target, makeRow: (bytes: number) => object): Promise<number> {
  for (const bytes of sizes) {
    if (await isStored(target, postQuote(target, makeRow(bytes)))) {
      return bytes;
    }
  }
  throw new Error(`No size is small enough for ${JSON.stringify(makeRow(10))}`);
}

/** Stores quotes, and throws when one is refused, because the test would attack nothing then. */
export async function store(target: Target, rows: object[]): Promise<void> {
  for (const row of rows) {
    if (!(await isStored(target, postQuote(target, row)))) {
      throw new Error(`The quote was not stored: ${JSON.stringify(row).slice(0, 200)}`);
    }
  }
}

async function isStored({ service }: Target, request: CostlyRequest): Promise<boolean> {
  const sender = new Sender(service.url, 1);
  try {
    for (;;) {
      const { status } = await sender.send(request);
      if (status !== 503) {
        return status === 201;
      }
      await sleep(500);
    }
  } finally {
    sender.close();
  }
}

/** Encodes only what must be encoded, because the URL's length is limited. */
export const query = (parameters: Record<string, string>): string =>
  Object.entries(parameters)
    .map(parameter => parameter.map(lightlyEncoded).join('='))
    .join('&');

const lightlyEncoded = (text: string): string =>
  text.replace(/[^\w\-.~!*(),:;/?@$[\]{}|>]/gu, encodeURIComponent);
