/** The files of the reference page, and the fields in which it has a developer's key. The page in a browser is in page.service.test.ts. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService, useService } from '../setup/service.ts';

const service = useService();

describe('the files of the page', () => {
  it.each([
    ['/', 'text/html'],
    ['/reference/swagger-ui.css', 'text/css'],
    ['/reference/swagger-ui-bundle.js', 'text/javascript'],
  ])('are served without a key: %s', async (path, type) => {
    const response = await service.fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect((await response.text()).length).toBeGreaterThan(100);
  });

  it('include the notice of Swagger UI, linked from the page', async () => {
    expect(await (await service.fetch('/reference/NOTICE')).text()).toMatch(/^swagger-ui\nCopyright /);
    expect(await (await service.fetch('/')).text()).toContain('href="/reference/NOTICE"');
  });

  it('do not include others of the package', async () => {
    for (const path of ['/reference/index.html', '/swagger-ui.css', '/reference/../package.json']) {
      expect([path, (await service.fetch(path)).status]).toEqual([path, 404]);
    }
  });
});

/** The page for exactly these headers; fetch can't send another Host. */
async function pageFor(service: Service, sent: Record<string, string> = {}): Promise<string> {
  const [response] = await once(request(`${service.url}/`, { headers: sent }).end(), 'response');
  expect(response.statusCode).toBe(200);
  return text(response);
}

describe('the page’s fields, where a demo token is bound', () => {
  const token = 'the-demo-token';
  let demo: Service;
  beforeAll(async () => {
    demo = await startService({ worker: 'all', bindings: { DEMO_TOKEN: token } });
  });
  afterAll(() => demo.stop());
  const hostOf = (name: string): string => `${name}:${new URL(demo.url).port}`;

  const [none, same] = [{ 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }];
  const rebound = () => ({ host: hostOf('rebound.example') });
  it.each<[who: string, headers: () => Record<string, string>]>([
    ['whoever asks', () => ({})],
    ['a browser, by the name localhost', () => ({ host: hostOf('localhost'), ...none })],
    ['a page of the service', () => ({ origin: demo.url, ...same })],
  ])('contain its key and token for %s on the developer’s machine', async (_, sent) => {
    const html = await pageFor(demo, sent());
    expect(html).toContain(`name="apikey" value="${demo.publishableKey}"`);
    expect(html).toContain(`name="token" value="${token}"`);
  });

  it.each<[who: string, headers: () => Record<string, string>]>([
    ['a page of another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['a page of an older browser', () => ({ origin: 'https://elsewhere.example' })],
    ['a name that was made to lead here (DNS rebinding)', rebound],
  ])('are empty for %s', async (_, sent) => {
    const html = await pageFor(demo, sent());
    expect(html).toContain('name="apikey" value=""');
    expect(html).not.toContain(demo.publishableKey);
    expect(html).not.toContain(token);
  });

  it('are empty for everyone where it is deployed, and /demo is an error as JSON', async () => {
    const deployed = await startService({ worker: 'all', bindings: { DEMO_TOKEN: token, LOCAL: '' } });
    const html = await pageFor(deployed);
    expect(html).not.toContain(deployed.publishableKey);
    expect(html).not.toContain(token);
    const response = await deployed.fetch('/demo');
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'PGRST125' }]);
    await deployed.stop();
  });
});

it('REFERENCE=off removes the page, but not the document', async () => {
  const deployment = await startService({ bindings: { REFERENCE: 'off' } });
  for (const path of ['/', '/reference/page.js', '/reference/swagger-ui-bundle.js']) {
    const response = await deployment.fetch(path);
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'PGRST125' }]);
  }
  expect((await deployment.fetch('/rest/v1/', { headers: deployment.headers() })).status).toBe(200);
  await deployment.stop();
});
