/** The sweep on request, which only the developer at this machine may run. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startService, useService } from '../setup/service.ts';

const path = '/cdn-cgi/handler/scheduled';

const service = useService({ worker: 'all' });

/** Sends exactly these headers; fetch cannot set Host. */
async function ask(headers: Record<string, string> = {}, method = 'GET', of = service) {
  const [response] = await once(request(of.url + path, { method, headers }).end(), 'response');
  return { status: response.statusCode, allow: response.headers.allow, body: await text(response) };
}

const sweeps = (): number => service.logs.filter(line => line.includes('"event":"sweep"')).length;

describe('the sweep on request', () => {
  it('runs for a developer who types the address into a browser, and confirms that', async () => {
    const before = sweeps();
    expect(await ask({ 'sec-fetch-site': 'none' })).toMatchObject({ status: 200, body: 'The sweep ran.\n' });
    await expect.poll(sweeps).toBe(before + 1);
  });

  // test/reference tests the same check with all that a page of another site may send.
  it.each<[who: string, headers: Record<string, string>]>([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a name that was made to lead here (DNS rebinding)', { host: '127.0.0.1.rebound.example' }],
    ['a tunnel that sets Host', { 'x-forwarded-host': 'shop.example' }],
  ])('is refused to %s, and does not run', async (_, headers) => {
    const before = sweeps();
    const { status, body } = await ask(headers);
    expect(status).toBe(403);
    expect(JSON.parse(body)).toEqual({
      code: 'PT403',
      message: 'This path is only for the developer at this machine',
      details: expect.stringContaining('127.0.0.1, localhost or [::1]'),
      hint: null,
    });
    expect(sweeps()).toBe(before);
  });

  it('does not run for another method than GET', async () => {
    const before = sweeps();
    expect(await ask({}, 'HEAD')).toMatchObject({ status: 405, allow: 'GET' });
    expect(sweeps()).toBe(before);
  });

  it('does not exist in a deployment', async () => {
    const deployed = await startService({ worker: 'all', bindings: { LOCAL: '' } });
    const { status, body } = await ask({}, 'GET', deployed);
    expect([status, JSON.parse(body).code]).toEqual([404, 'PGRST125']);
    expect(deployed.logs.join()).not.toContain('sweep');
    await deployed.stop();
  });
});
