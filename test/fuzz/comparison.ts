/** Two answers to the same request, of services that differ in what its caller may not see. */
import type { FuzzRequest } from './request.ts';
import type { FuzzAnswer } from './send.ts';

/**
 * Whoever gives a row of its own the key of another's learns that it is taken, since no two rows can have it; but not
 * more.
 */
export function tellsApart(request: FuzzRequest, answer: FuzzAnswer, expected: FuzzAnswer): boolean {
  const bringsKey = /([a-e]\d)\1{3}-0000-4000-8000-00000000000\d/.test(request.body?.toString() ?? '');
  return !bringsKey && comparable(answer) !== comparable(expected);
}

/** Where two answers part. */
export function difference(answer: FuzzAnswer, expected: FuzzAnswer): string {
  const [one, other] = [comparable(answer), comparable(expected)];
  let at = 0;
  while (one[at] === other[at]) {
    at += 1;
  }
  const shown = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `${shown(one)} | without it ${shown(other)}`;
}

const volatileHeaders = [
  'etag',
  'date',
  'x-request-id',
  'server-timing',
  'content-length',
  'connection',
  'keep-alive',
];

/** An answer without what differs from one to the next: clocks, chance, transaction numbers. */
export function comparable({ status, headers, text }: FuzzAnswer): string {
  const kept = Object.entries(headers).filter(([name]) => !volatileHeaders.includes(name));
  return `${status} ${JSON.stringify(kept)} ${text}`
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, id =>
      /^(..)\1{3}-0000/.test(id) ? id : 'an id',
    )
    .replace(/"20\d\d-\d\d-\d\d[T ][\d:]+\.\d+[\d:+]*"/g, '"a time"');
}
