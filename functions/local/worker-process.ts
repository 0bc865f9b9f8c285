/**
 * The process that runs workerd for `npm start`. It has its own session, so that Ctrl-C doesn't reach it, and it ends when
 * its parent ends in any way.
 */
import type { Readable } from 'node:stream';
import type { Miniflare } from 'miniflare';
import { forwardLog, stopReadingWhenPaused } from './log-output.ts';
import { serveForParent } from './parent.ts';
import { miniflareOptions, readWorkerOptions, startWorker } from './worker.ts';

const options = readWorkerOptions();
let worker: Miniflare | undefined;
let printed: Promise<unknown> = Promise.resolve();

function onOutput(stdout: Readable, stderr: Readable): void {
  printed = Promise.all([printed, forwardLog(stdout, process.stdout), forwardLog(stderr, process.stderr)]);
}

stopReadingWhenPaused();

serveForParent({
  async serve(request) {
    const deployment = { ...request, options: await options, onOutput };
    if (worker === undefined) {
      worker = await startWorker(deployment);
    } else {
      await worker.setOptions(miniflareOptions(deployment));
    }
    return Number((await worker.ready).port);
  },
  async stop() {
    await worker?.dispose();
    await printed;
  },
});
