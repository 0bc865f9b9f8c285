/** Serves the files that the graphics of sql/demo.sql have as their `file_url`: the service itself keeps no files. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { loopback } from './port.ts';
import { root } from './settings.ts';

/** The one in sql/demo.sql. */
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
  const server = createServer((request, response) => void answer(request.url ?? '', response));
  try {
    await once(server.listen(port, loopback), 'listening');
    return server;
  } catch {
    return undefined;
  }
}

/** Sends the file of a path. Pages of other origins may use it too: a builder draws it on a canvas. */
async function answer(path: string, response: ServerResponse): Promise<void> {
  const [, name] = /^\/demo\/([\w-]+\.svg)$/.exec(path) ?? [];
  const file = await readFile(join(root, 'functions/local/demo', basename(name ?? ''))).catch(
    () => undefined,
  );
  const headers = { 'content-type': 'image/svg+xml', 'access-control-allow-origin': '*' };
  response.writeHead(file ? 200 : 404, file && headers).end(file);
}
