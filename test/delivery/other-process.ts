/** A program in a process of its own, so that what it does doesn't delay the tests; it answers questions by messages. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface Message {
  number: number;
  content: unknown;
}

export interface OtherProcess<Question> {
  ask<Answer>(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a program of this folder. */
export function startProcess<Question>(file: string): OtherProcess<Question> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, { execArgv: ['--import', 'tsx'] });
  const exit = once(child, 'exit');
  const ended = exit.then(([code]) => {
    throw new Error(`${file} ended with ${code}.`);
  });
  // It is awaited only while something is expected of the process.
  ended.catch(() => {});
  const waiting: ((answer: unknown) => void)[] = [];
  child.on('message', ({ number, content }: Message) => waiting[number]?.(content));
  return {
    async ask(question) {
      const answer = new Promise(resolve => {
        child.send({ number: waiting.push(resolve) - 1, content: question });
      });
      return (await Promise.race([answer, ended])) as never;
    },
    async stop() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** In the program: answers each question of its parent, and ends with it. */
export function answerQuestions<Question>(answer: (question: Question) => unknown): void {
  process.on('message', async ({ number, content }: Message) => {
    process.send?.({ number, content: await answer(content as Question) });
  });
  process.on('disconnect', () => process.exit());
}
