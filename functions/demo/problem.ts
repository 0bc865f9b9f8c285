/** Sentences for what can go wrong between the page and the service. */
import { useEffect, useState } from 'react';
import { type Issue, issuesOf } from '../../schema/database.ts';
import { time } from './format.ts';

/** An error as supabase-js returns it. Without a network it has no code. */
export interface ServiceError {
  message: string;
  code?: string;
  details?: string | null;
}

/** A time as the service writes it. */
const timestamp = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g;

export interface Problem {
  sentence: string;
  /** What is wrong with fields, by their paths. */
  issues: Issue[];
  isUnreachable?: boolean;
}

/**
 * Keeps what went wrong with a row, until that is history: the row's state is another one than when the user tried, or a
 * later read of it shows that the service can be reached.
 */
export function useProblem(read: unknown, state: string) {
  const [kept, keep] = useState<{ problem: Problem; state: string } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each read makes another object.
  useEffect(() => keep(before => (before?.problem.isUnreachable ? null : before)), [read]);
  const setProblem = (problem: Problem | null) => keep(problem && { problem, state });
  return [kept?.state === state ? kept.problem : null, setProblem] as const;
}

/** Sends requests about a row: whether one is running, and what went wrong with the last one. */
export function useRequest(read: unknown, state: string) {
  const [problem, setProblem] = useProblem(read, state);
  const [isBusy, setIsBusy] = useState(false);
  async function send<Answer extends { error: ServiceError | null }>(
    request: PromiseLike<Answer>,
  ): Promise<Answer> {
    setIsBusy(true);
    const answer = await request;
    setIsBusy(false);
    setProblem(answer.error && problemOf(answer.error));
    return answer;
  }
  return { problem, setProblem, isBusy, send };
}

/** Returns what to say of an error. */
export function problemOf(error: ServiceError): Problem {
  const issues = issuesOf(error);
  const isUnreachable = !error.code;
  return { sentence: sentenceOf(error, issues), issues, isUnreachable };
}

function sentenceOf({ message, code, details }: ServiceError, issues: Issue[]): string {
  if (!code) {
    return 'The service can’t be reached. Nothing is lost: what you typed stays on this device.';
  }
  if (code === 'PGRST301' || code === 'PGRST303') {
    return 'You are not signed in any more. Load the page again: what you typed stays on this device.';
  }
  if (issues.length > 0) {
    return issues.length === 1
      ? 'One field needs another look.'
      : `${issues.length} fields need another look.`;
  }
  if (code === 'PGRST116' || code === 'PT412' || (code === 'PT409' && message.includes('has changed'))) {
    return 'This quote was changed elsewhere since you opened it.';
  }
  // The hint is for developers.
  const text = [message.replace(/\.$/, ''), details].filter(Boolean).join('. ');
  return text.replaceAll(timestamp, time);
}
