/**
 * The process that runs workerd for `npm start`: each message from its parent is a deployment to serve from then on. It has
 * its own session, so that Ctrl-C doesn't reach it, and it ends when its parent or workerd ends in any way, but
 * for too many connections.
 */
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Miniflare, WorkerOptions } from 'miniflare';
import { type DemoDeliveries, startDemoDeliveries } from './inbox.ts';
import { type Deployment, miniflareOptions, readWorkerOptions, startWorker } from './worker.ts';

export type ServeRequest = Omit<Deployment, 'options' | 'onLog' | 'onOutput'> & {
  /** Whether e-mail goes to an inbox, which `/demo` shows. */
  hasInbox?: boolean;
  /** The directory of the reference page's files. */
  reference?: string;
};
export type ServeResult = { problem?: string };

let worker: Miniflare | undefined;
let deliveries: DemoDeliveries | undefined;
let printed: Promise<unknown> = Promise.resolve();
/** The output of the workerd that accepts requests. It is undefined while miniflare replaces or stops that workerd. */
let output: Promise<unknown> | undefined;
/** The end of what that workerd printed of errors. */
let said = '';

function onOutput(stdout: Readable, stderr: Readable): void {
  said = '';
  stderr.on('data', chunk => {
    said = `${said}${chunk}`.slice(-1000);
  });
  output = Promise.all([forward(stdout, process.stdout), forward(stderr, process.stderr)]);
  printed = Promise.all([printed, output]);
}

/** Forwards what workerd prints, and resolves when it has printed its last. */
async function forward(from: Readable, to: Writable): Promise<void> {
  from.pipe(to, { end: false });
  await finished(from, { writable: false }).catch(() => {});
}

/**
 * Ends this process with workerd, or starts it again when it ended because it could open no further file for a connection.
 * Miniflare doesn't say that it has ended, but nothing else ends its output.
 */
async function endWith(watched: typeof output, request: ServeRequest): Promise<void> {
  await watched;
  if (watched !== output) {
    return;
  }
  if (said.includes('Too many open files')) {
    console.error(
      'There were more connections than `ulimit -n` allows. All are closed, and workerd starts again.',
    );
    const { problem } = await serve(request);
    if (problem === undefined) {
      return;
    }
    console.error(problem);
  }
  // Miniflare removes its temporary files then.
  process.exit(1);
}

async function serve(served: ServeRequest): Promise<ServeResult> {
  const { hasInbox, reference, ...request } = served;
  output = undefined;
  try {
    if (hasInbox) {
      deliveries ??= await startDemoDeliveries();
    }
    const deployment = {
      ...request,
      options: withDeliveries(await readWorkerOptions(reference), deliveries),
      bindings: { ...request.bindings, ...deliveries?.variables },
      onOutput,
    };
    if (worker === undefined) {
      worker = await startWorker(deployment);
    } else {
      await worker.setOptions(miniflareOptions(deployment));
    }
    // Rejects if workerd did not start.
    await worker.ready;
    endWith(output, served);
    return {};
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

const withDeliveries = (
  options: Partial<WorkerOptions>,
  deliveries: DemoDeliveries | undefined,
): Partial<WorkerOptions> => ({
  ...options,
  ...(deliveries && {
    serviceBindings: { ...options.serviceBindings, DEMO_DELIVERIES: deliveries.answer },
  }),
});

// Nobody reads the log any more, so the program ends.
process.stdout.on('error', () => process.disconnect?.());
process.on('message', async (request: ServeRequest) => {
  process.send?.(await serve(request));
});
process.on('disconnect', async () => {
  output = undefined;
  await worker?.dispose();
  await deliveries?.stop();
  await printed;
  process.exit();
});
