import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loopback } from '../../functions/local/port.ts';
import { loadAtRate } from './constant-rate.ts';

/** Twenty requests over one connection, to a server that answers so. */
async function loadServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, loopback);
  await once(server, 'listening');
  const contestant = {
    name: 'A server',
    url: `http://${loopback}:${(server.address() as AddressInfo).port}/rest`,
    headers: { apikey: 'key' },
    staffHeaders: {},
    process: 0,
    stop: async () => {},
  };
  const requests = [1, 2].map(n => ({ method: 'GET' as const, path: `/quotes?id=eq.${n}` }));
  try {
    return await loadAtRate({ contestant, requests, rate: 200, connections: 1, seconds: 0.1 });
  } finally {
    server.close();
  }
}

describe('A load at a constant rate', () => {
  it('sends the requests in turn, with the headers of their caller', async () => {
    const seen: string[] = [];
    await loadServer((request, response) => {
      seen.push(`${request.url} ${request.headers['apikey']}`);
      response.end();
    });
    expect(seen).toHaveLength(20);
    expect(seen.slice(0, 3)).toEqual([
      '/rest/quotes?id=eq.1 key',
      '/rest/quotes?id=eq.2 key',
      '/rest/quotes?id=eq.1 key',
    ]);
  });

  it('records every request that was due while the server stood still', async () => {
    let isFirst = true;
    const histogram = await loadServer(async (_, response) => {
      if (isFirst) {
        isFirst = false;
        await sleep(200);
      }
      response.end();
    });
    expect(histogram.count).toBe(20);
  });

  it('rejects when an answer is not 2xx', async () => {
    const load = loadServer((_, response) => response.writeHead(503).end());
    await expect(load).rejects.toThrow('A server, /rest/quotes?id=eq.1: 503');
  });
});
