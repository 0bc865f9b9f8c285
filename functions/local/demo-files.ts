/** The graphics of sql/demo.sql, in place of an object storage. The service itself stores only their URLs. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loopback } from './port.ts';
import { root } from './settings.ts';

/** The port of the files in sql/demo.sql. */
const usualPort = 8788;

export interface DemoFiles {
  /** What the addresses of the files begin with; ends with a slash. */
  address: string;
  stop(): Promise<void>;
}

/** Serves them on the usual port, or on another one when that is in use. */
export async function serveDemoFiles(): Promise<DemoFiles> {
  const server = (await listen(usualPort)) ?? (await listen(0));
  const { port } = server?.address() as AddressInfo;
  return {
    address: `http://${loopback}:${port}/demo/`,
    async stop() {
      server?.closeAllConnections();
      server?.close();
    },
  };
}

/** Returns a server, or nothing when the port is in use. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  try {
    await once(server.listen(port, loopback), 'listening');
    return server;
  } catch {
    return undefined;
  }
}

const graphic = /^\/demo\/([\w-]+\.svg)$/;

/** Sends the file of a path. Pages of other origins may read it too: a builder draws it on a canvas. */
async function answer({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = graphic.exec(url)?.[1] ?? 'none.svg';
  const content = await readFile(join(root, 'functions/demo', name)).catch(() => undefined);
  const headers = {
    ...{ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache', 'access-control-allow-origin': '*' },
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(content ? 200 : 404, content && headers).end(method === 'HEAD' ? undefined : content);
}
