import { expect } from 'vitest';
import type { CostlyReply } from './sender.ts';
import type { Outcome } from './target.ts';

/**
 * Within every budget, and each answer is a success or says clearly what was too much. What Postgres itself can
 * interrupt may also end as it does when the time of a statement is over (`mayTakeTooLong`), and of two writes that wait
 * for each other one fails (`mayDeadlock`).
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

/** An answer to HEAD has no body that could say anything. */
const says = ({ isHead, text }: CostlyReply, code: RegExp): boolean =>
  isHead || (code.test(text) && text.includes('"message":"'));

const isClear = (reply: CostlyReply): boolean =>
  (reply.status >= 200 && reply.status < 400) ||
  (reply.status >= 400 && reply.status < 500 && says(reply, /"code":"\w+"/));

const show = ({ asked, status, text, milliseconds }: CostlyReply): string =>
  `${asked}: ${status} after ${Math.round(milliseconds)} ms: ${text.slice(0, 200)}`;
