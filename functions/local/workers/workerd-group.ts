/**
 * Several workerd processes on one port. workerd is one thread, and can't set SO_REUSEPORT; so all of them accept from the
 * same listening socket, and the one that has time takes the next connection.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWorkerd } from '../adapt-config.mjs';
import { Problem } from '../problem.ts';
import type { Launch } from './generate-config.ts';
import { supervise } from './supervise.ts';
import { startWorkerd, type WorkerdProcess } from './workerd-process.ts';

/** The disks that miniflare has workerd write to: of Durable Objects and of the cache. */
const writableDisks = ['do:storage', 'cache:storage'];

export class WorkerdGroup {
  readonly #size: number;
  readonly #program = findWorkerd();
  readonly #running = new Set<WorkerdProcess>();
  #stopping = new AbortController();
  #files: string | undefined;

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves when all of them accept connections, in place of those before. Throws a Problem when one can't. */
  async serve(launch: Launch): Promise<void> {
    await this.stop();
    this.#stopping = new AbortController();
    this.#files = await mkdtemp(join(tmpdir(), 'uniform-builder-workers-'));
    const numbers = Array.from({ length: this.#size }, (_, index) => index + 1);
    const started = await Promise.all(numbers.map(number => this.#keepRunning(number, launch)));
    if (started.includes(false)) {
      await this.stop();
      throw new Problem('The worker did not start; what workerd printed says why.');
    }
  }

  /** Connections that arrive meanwhile wait in the socket's queue. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.kill();
    await Promise.all([...this.#running].map(({ ended }) => ended));
    if (this.#files !== undefined) {
      await rm(this.#files, { recursive: true, force: true });
    }
  }

  /** For the moment when this process exits. */
  kill(): void {
    for (const workerd of this.#running) {
      workerd.kill();
    }
  }

  /** Starts a process, and another whenever it ends. Resolves to whether the first one accepts connections. */
  async #keepRunning(number: number, launch: Launch): Promise<boolean> {
    const directories = await this.#makeDirectories(number);
    const start = () => this.#start(launch, directories);
    const first = start();
    const ready = await first.ready;
    if (ready) {
      supervise(`workerd ${number}`, first, start, this.#stopping.signal);
    }
    return ready;
  }

  #start(launch: Launch, directories: Record<string, string>): WorkerdProcess {
    const workerd = startWorkerd(this.#program, launch, directories);
    this.#running.add(workerd);
    workerd.ended.then(() => this.#running.delete(workerd));
    return workerd;
  }

  /** Each process has its own, because workerd ends when another one has locked a database of its Durable Objects. */
  async #makeDirectories(number: number): Promise<Record<string, string>> {
    const paths = writableDisks.map(disk => [disk, join(this.#files ?? '', `${number}`, disk)] as const);
    await Promise.all(paths.map(([, path]) => mkdir(path, { recursive: true })));
    return Object.fromEntries(paths);
  }
}
