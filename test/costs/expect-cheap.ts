import { expect } from 'vitest';
import type { CostlyReply } from './sender.ts';
import type { Outcome } from './target.ts';

/**
 * Within every budget, and each answer is a success or says clearly what was too much. What Postgres itself can
 * interrupt may also end as it does when the time of a statement is over (`mayTakeTooLong`).
 */
export function expectCheap({ replies, excess }: Outcome, { mayTakeTooLong = false } = {}): void {
  const unclear = replies.filter(
    reply => !(isClear(reply) || (mayTakeTooLong && reply.status === 504 && reply.code === '57014')),
  );
  expect({ excess, unclear: unclear.map(show) }).toEqual({ excess: [], unclear: [] });
}

const isClear = ({ status, code, text }: CostlyReply): boolean =>
  (status >= 200 && status < 400) ||
  (status >= 400 && status < 500 && code !== '' && text.includes('"message":"'));

const show = ({ status, text, milliseconds }: CostlyReply): string =>
  `${status} after ${Math.round(milliseconds)} ms: ${text.slice(0, 200)}`;
