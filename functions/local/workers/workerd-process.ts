/** One workerd process, which accepts connections from a listening socket that it shares with others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { forwardLog } from '../log-output.ts';
import type { Launch } from './generate-config.ts';

/** The descriptor of the socket in a process that inherits it: the one after stdin, stdout, stderr and a pipe or IPC. */
export const listenerDescriptor = 4;

export interface WorkerdProcess {
  /** Whether it accepts connections; false when it ended before. */
  ready: Promise<boolean>;
  /** How it ended: `signal SIGKILL`, `code 1`. */
  ended: Promise<string>;
  kill(): void;
}

/** `directories` are for its files, by the names that they have in miniflare's configuration. */
export function startWorkerd(
  program: string,
  launch: Launch,
  directories: Record<string, string>,
): WorkerdProcess {
  const child = spawn(program, argumentsOf(launch, directories), {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', listenerDescriptor],
  });
  // It may end before it has read all of its configuration.
  child.stdin?.on('error', () => {}).end(launch.config);
  const printed = [
    forwardLog(child.stdout as Readable, process.stdout),
    forwardLog(child.stderr as Readable, process.stderr),
  ];
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    await Promise.all(printed);
    return signal ? `signal ${signal}` : `code ${code}`;
  });
  // workerd prints a line for each socket that it listens on, and there is one.
  const listens = once(createInterface(child.stdio[3] as Readable), 'line').then(() => true);
  return {
    ended,
    ready: Promise.race([listens, ended.then(() => false)]),
    kill: () => child.kill('SIGKILL'),
  };
}

function argumentsOf({ args }: Launch, directories: Record<string, string>): string[] {
  const [command = '', ...options] = args.filter(argument => !argument.startsWith('--socket-addr=entry='));
  const paths = Object.entries(directories).map(([name, path]) => `--directory-path=${name}=${path}`);
  return [command, `--socket-fd=entry=${listenerDescriptor}`, ...paths, ...options];
}
