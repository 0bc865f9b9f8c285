/**
 * The process that runs workerd for `npm start`. It has its own session, so that Ctrl-C doesn't reach it, and it ends when
 * its parent ends in any way. Each message from the parent is a deployment to serve from then on.
 */
import type { Readable } from 'node:stream';
import type { Miniflare } from 'miniflare';
import { forwardLog } from './log-output.ts';
import { type Deployment, miniflareOptions, readWorkerOptions, startWorker } from './worker.ts';

export type ServeRequest = Omit<Deployment, 'options' | 'onLog' | 'onOutput'>;
export type ServeResult = { port: number } | { problem: string };

const options = readWorkerOptions();
let worker: Miniflare | undefined;

function onOutput(stdout: Readable, stderr: Readable): void {
  forwardLog(stdout, process.stdout);
  forwardLog(stderr, process.stderr);
}

async function serve(request: ServeRequest): Promise<ServeResult> {
  const deployment = { ...request, options: await options, onOutput };
  try {
    if (worker === undefined) {
      worker = await startWorker(deployment);
    } else {
      await worker.setOptions(miniflareOptions(deployment));
    }
    return { port: Number((await worker.ready).port) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

process.on('message', async (request: ServeRequest) => {
  process.send?.(await serve(request));
});
process.on('disconnect', async () => {
  await worker?.dispose();
  process.exit();
});
