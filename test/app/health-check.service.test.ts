/**
 * The command of the runbook's uptime check.
 * @module-tag curl
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useService } from '../setup/service.ts';

const service = useService();
let command: string;
beforeAll(async () => {
  await service.sweep();
  const runbook = await readFile(new URL('../../functions/operate/README.md', import.meta.url), 'utf8');
  command = /`(curl [^`]+\/health [^`]+)`/.exec(runbook)?.[1] ?? '';
});

const exitCode = (url: string): Promise<number> =>
  new Promise(resolve => {
    const text = command.replace('https://api.example.com', url);
    execFile('sh', ['-c', text], error => resolve(error ? Number(error.code) : 0));
  });

async function serving(status: number, body: object): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(body)));
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the uptime check of the runbook', () => {
  it('passes for a service that is well', async () => {
    expect(await exitCode(service.url)).toBe(0);
  });

  it.each(['live', 'mail', 'webhooks', 'sweep'])('fails when %s is late', async part => {
    expect(await exitCode(await serving(200, { status: 'ok', live: 'idle', [part]: 'late' }))).not.toBe(0);
  });

  it('fails without an answer, or with an error', async () => {
    expect(await exitCode('http://127.0.0.1:1')).not.toBe(0);
    expect(await exitCode(await serving(503, { code: 'PGRST001' }))).not.toBe(0);
  });
});
