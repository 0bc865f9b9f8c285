/**
 * Loads miniflare without its two HTTP servers on ports of this machine. Any web page and any local user could write and read
 * files through the one that workerd calls, and set the address of a request through the one before the workers. Both listen
 * on Unix sockets in a directory that only this user can enter.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import type http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MiniflareOptions } from 'miniflare';

// Required like wrangler: an import would be rewritten by tsx, and searched for its exports by Node.
const require = createRequire(import.meta.url);
export const miniflare = require('miniflare') as typeof import('miniflare');

let directory: string | undefined;
process.on('exit', () => directory && rmSync(directory, { recursive: true, force: true }));

let sockets = 0;
function pathOf(socket: number | string): string {
  directory ??= mkdtempSync(join(tmpdir(), 'builder-sockets-'));
  return join(directory, String(socket));
}

const starting = new AsyncLocalStorage<boolean>();

/** Returns a new instance, which starts its workers. */
export const createMiniflare = (options: MiniflareOptions) =>
  starting.run(true, () => new miniflare.Miniflare(options));

// The very object that miniflare takes it from: an import has a copy.
const nodeHttp = require('node:http') as typeof http;
const { createServer } = nodeHttp;
nodeHttp.createServer = ((...args: Parameters<typeof createServer>) =>
  starting.getStore()
    ? listensOnSocket(createServer(...args))
    : createServer(...args)) as typeof createServer;

/** Makes a server listen on a socket whose number is taken for its port. */
function listensOnSocket(server: http.Server): http.Server {
  const port = ++sockets;
  const { listen } = server;
  return Object.assign(server, {
    listen: (_port: number, _host: string, listening: () => void) =>
      listen.call(server, pathOf(port), listening),
    address: () => ({ port }),
  });
}

const { updateConfig } = miniflare.Runtime.prototype;
miniflare.Runtime.prototype.updateConfig = function (config, options, ...rest) {
  const { entryAddress, loopbackAddress } = options;
  return updateConfig.call(
    this,
    config,
    {
      ...options,
      loopbackAddress: `unix:${pathOf(portOf(loopbackAddress))}`,
      // The tests reach it where they name its port.
      ...(portOf(entryAddress) === '0' && { entryAddress: `unix:${pathOf(++sockets)}` }),
    },
    ...rest,
  );
};

const portOf = (address: string): string => address.slice(address.lastIndexOf(':') + 1);
