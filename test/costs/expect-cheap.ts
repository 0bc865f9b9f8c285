import { expect } from 'vitest';
import type { CostlyReply } from './sender.ts';
import type { Outcome } from './target.ts';

/**
 * Expects every budget to be kept, and each response to be a success or a clear error. A statement that Postgres can
 * interrupt may also time out (`mayTakeTooLong`), and one of two writes may fail in a deadlock (`mayDeadlock`).
 */
export function expectCheap(
  { replies, excess }: Outcome,
  { mayTakeTooLong = false, mayDeadlock = false } = {},
): void {
  const unclear = replies.filter(
    reply =>
      !(
        isClear(reply) ||
        (mayTakeTooLong && reply.status === 504 && says(reply, /"code":"57014"/)) ||
        (mayDeadlock && reply.status === 503 && says(reply, /"code":"40P01"/))
      ),
  );
  expect({ excess, unclear: unclear.map(show) }).toEqual({ excess: [], unclear: [] });
}

/** A response to HEAD has no body to check. */
const says = ({ isHead, text }: CostlyReply, code: RegExp): boolean =>
  isHead || (code.test(text) && text.includes('"message":"'));

const isClear = (reply: CostlyReply): boolean =>
  (reply.status >= 200 && reply.status < 400) ||
  (reply.status >= 400 && reply.status < 500 && says(reply, /"code":"\w+"/));

const show = ({ asked, status, text, milliseconds }: CostlyReply): string =>
  `${asked}: ${status} after ${Math.round(milliseconds)} ms: ${text.slice(0, 200)}`;
