/** Runs the developer's programs as npm does: with tsx, each in its own process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { vi } from 'vitest';
import { root } from '../setup/files.ts';

export interface Ending {
  code: number | null;
  stdout: string;
  stderr: string;
}

export type Program = ReturnType<typeof startCommand>;

/** Programs that are no operator's, by their name. */
const localPrograms: Record<string, string> = {
  start: 'functions/local/start.ts',
  token: 'functions/local/make-token.ts',
};

/** Starts `npm start`, `npm run token` or an operator's program. `input` begins the standard input, which stays open. */
export function startProgram(
  name: string,
  args: string[],
  env: Record<string, string> = {},
  input?: string,
): Program {
  const path = localPrograms[name] ?? `functions/operate/${name}.ts`;
  return startCommand(process.execPath, ['--import', 'tsx', path, ...args], {
    env,
    ...(input !== undefined && { input }),
  });
}

interface CommandOptions {
  /** The checkout, when left out. */
  directory?: string;
  /** On top of the tests' own; what is undefined is not set. */
  env?: Record<string, string | undefined>;
  input?: string;
}

/** The same for any program, found by its name. */
export function startCommand(
  file: string,
  args: string[],
  { directory = root, env = {}, input }: CommandOptions = {},
) {
  const nothing = { DATABASE_URL: '', JWT_SECRET: '', PUBLISHABLE_KEY: '', SECRET_KEY: '', PORT: '' };
  const child = spawn(file, args, {
    cwd: directory,
    env: { ...process.env, ...nothing, ...env },
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.write(input ?? '');
  const stdout = collect(child.stdout as Readable);
  const stderr = collect(child.stderr as Readable);
  const all = ([code]: unknown[]) => ({ code, stdout: stdout(), stderr: stderr() }) as Ending;
  const ended = once(child, 'close').then(all);
  const signal = async (pid: number, name: NodeJS.Signals) => {
    process.kill(pid, name);
    return ended;
  };
  return {
    /** The id of its process. */
    id: pidOf(child),
    ended,
    /** The output so far. */
    output: stdout,
    /** Resolves once it has printed `text`; rejects when it has not after so many milliseconds. */
    async printed(text: string, timeout = 150_000): Promise<void> {
      const isPrinted = () => stdout().includes(text);
      await vi.waitUntil(isPrinted, { timeout, interval: 50 }).catch(() => {
        throw new Error(`not printed: ${text}\n${stdout()}${stderr()}`);
      });
    },
    /** Does what Ctrl-C does: signals the whole process group. */
    interrupt: () => signal(-pidOf(child), 'SIGINT'),
    /** Kills this process alone, without a chance to clean up. */
    kill: () => signal(pidOf(child), 'SIGKILL'),
  };
}

/** Runs a program until it exits. */
export const runProgram = (name: string, args: string[], env: Record<string, string> = {}): Promise<Ending> =>
  startProgram(name, args, env).ended;

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  return () => text;
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) {
    throw new Error('The program did not start.');
  }
  return child.pid;
}
