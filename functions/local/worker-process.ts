/**
 * The process that holds workerd for `npm start`, with a session of its own: Ctrl-C doesn't reach it, and when the
 * process that forked it ends, however, so does workerd. A message is a deployment to serve from now on.
 */
import type { Miniflare } from 'miniflare';
import { type Deployment, miniflareOptions, readWorkerOptions, startWorker } from './worker.ts';

export type Order = Omit<Deployment, 'options' | 'onLog'>;
export type Report = { port: number } | { problem: string };

const options = readWorkerOptions();
let worker: Miniflare | undefined;

/** A request is a line: workerd prints an object of many fields over as many. */
const onLog = (text: string): void =>
  console.log(text.startsWith('{') ? text.replace(/\s*\n\s*/g, ' ') : text);

async function serve(order: Order): Promise<Report> {
  const deployment = { ...order, options: await options, onLog };
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

process.on('message', async (order: Order) => {
  process.send?.(await serve(order));
});
process.on('disconnect', async () => {
  await worker?.dispose();
  process.exit();
});
