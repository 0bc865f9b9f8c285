/**
 * The files of the demo, in place of an object storage: the graphics of sql/demo.sql, and the previews that the page `/demo`
 * uploads. The service itself stores only their URLs.
 */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loopbackNames } from '../common/loopback-names.ts';
import { ensureDirectory } from './data-directory.ts';
import { loopback } from './port.ts';
import { root } from './settings.ts';

/** The port of the files in sql/demo.sql. */
const usualPort = 8788;
/** Bytes. */
const largestPreview = 512 * 1024;

export interface DemoFiles {
  /** What the addresses of the files begin with; ends with a slash. */
  address: string;
  stop(): Promise<void>;
}

/** Serves them on the usual port, or on another one when that is in use. Previews are kept in a directory. */
export async function serveDemoFiles(previews: string): Promise<DemoFiles> {
  await ensureDirectory(previews);
  const server = (await listen(usualPort, previews)) ?? (await listen(0, previews));
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
async function listen(port: number, previews: string): Promise<Server | undefined> {
  const server = createServer((request, response) => {
    // An upload that breaks off, or a folder that can't be written, ends only its own request.
    answer(request, response, previews).catch(() => response.destroy());
  });
  try {
    await once(server.listen(port, loopback), 'listening');
    return server;
  } catch {
    return undefined;
  }
}

const preview = /^\/demo\/previews\/([0-9a-f-]{36}-(?:front|back)\.jpg)$/;
const graphic = /^\/demo\/([\w-]+\.svg)$/;

/** Sends or stores the file of a path. Pages of other origins may read it too: a builder draws it on a canvas. */
async function answer(request: IncomingMessage, response: ServerResponse, previews: string): Promise<void> {
  const { method, url = '' } = request;
  const name = preview.exec(url)?.[1];
  const file = name
    ? { path: join(previews, name), type: 'image/jpeg' }
    : {
        path: join(root, 'functions/local/demo', graphic.exec(url)?.[1] ?? 'none.svg'),
        type: 'image/svg+xml',
      };
  if (method === 'PUT' || method === 'OPTIONS') {
    const status = name ? await store(request, file.path) : 404;
    response.writeHead(status, uploadHeaders(request)).end();
    return;
  }
  const content = await readFile(file.path).catch(() => undefined);
  const headers = {
    ...{ 'content-type': file.type, 'cache-control': 'no-cache', 'access-control-allow-origin': '*' },
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(content ? 200 : 404, content && headers).end(method === 'HEAD' ? undefined : content);
}

/** Only pages of this machine may upload. */
const uploadHeaders = ({ headers: { origin } }: IncomingMessage): Record<string, string> =>
  origin && isOfThisMachine(origin)
    ? {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': 'content-type',
      }
    : {};

/** Whether an origin, or a host with its port, is this machine's. */
const isOfThisMachine = (origin: string): boolean =>
  loopbackNames.includes(origin.replace(/^https?:\/\//, '').replace(/:\d+$/, ''));

/** Stores an upload, and returns the status. A preflight stores nothing. */
async function store(request: IncomingMessage, path: string): Promise<number> {
  const { method, headers } = request;
  if (!isOfThisMachine(headers.host ?? '') || (headers.origin && !isOfThisMachine(headers.origin))) {
    return 403;
  }
  if (method === 'OPTIONS') {
    return 204;
  }
  if (headers['content-type'] !== 'image/jpeg') {
    return 415;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > largestPreview) {
      return 413;
    }
    chunks.push(chunk);
  }
  await ensureDirectory(join(path, '..'));
  await writeFile(path, Buffer.concat(chunks));
  return 204;
}
