/** A process that serves for its parent: each message from the parent is a deployment to serve from then on. */
import type { Deployment } from './worker.ts';

export type ServeRequest = Omit<Deployment, 'options' | 'onLog' | 'onOutput'> & {
  /** With it, e-mail goes to an inbox, which `/demo` shows: the connection of the database's owner. */
  inboxOf?: string;
};
export type ServeResult = { port: number } | { problem: string };

export interface Server {
  /** Returns the port. What it throws is told to the parent. */
  serve(request: ServeRequest): Promise<number>;
  stop(): Promise<void>;
}

/** Serves until the parent ends in any way. */
export function serveForParent(server: Server): void {
  process.on('message', async (request: ServeRequest) => {
    process.send?.(await attempt(server, request));
  });
  process.on('disconnect', async () => {
    await server.stop();
    process.exit();
  });
}

async function attempt(server: Server, request: ServeRequest): Promise<ServeResult> {
  try {
    return { port: await server.serve(request) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
