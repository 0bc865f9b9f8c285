import { crashLine } from '../log/crash-line.ts';

/** Work of which there is one run at a time. */
export class SingleRun {
  #run: Promise<void> | undefined;

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Resolves when the run has ended, if there is one; never rejects. */
  get ended(): Promise<void> {
    return this.#run ?? Promise.resolve();
  }

  /** Does nothing while it runs. A bug ends the run and is logged. */
  start(work: () => Promise<void>): void {
    this.#run ??= work()
      .catch((error: Error) => console.error(crashLine(error)))
      .finally(() => {
        this.#run = undefined;
      });
  }
}
