import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serveDemoFiles } from '../../functions/local/demo-files.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';

const files = use(async () => {
  const directory = await makeTemporaryDirectory();
  const served = await serveDemoFiles(directory.path);
  return {
    address: served.address,
    stop: () => Promise.all([served.stop(), directory.remove()]).then(() => {}),
  };
}, 'stop');
const type = { 'content-type': 'image/jpeg' };
const urlOf = (name: string) => `${files.address}previews/${name}`;
const put = async (name: string, body: BodyInit, headers: Record<string, string> = type) =>
  (await fetch(urlOf(name), { method: 'PUT', body, headers })).status;
const name = `${randomUUID()}-front.jpg`;

describe('an uploaded preview', () => {
  it('is served afterwards, and replaced by the next one', async () => {
    expect((await fetch(urlOf(name))).status).toBe(404);
    for (const text of ['one', 'two']) {
      expect(await put(name, text)).toBe(204);
      const response = await fetch(urlOf(name));
      expect([await response.text(), response.headers.get('content-type')]).toEqual([text, 'image/jpeg']);
    }
  });

  it.each([
    ['another type', name, 'x', { 'content-type': 'text/html' }, 415],
    ['more than 512 KB', name, 'x'.repeat(512 * 1024 + 1), type, 413],
    ['a page of another origin', name, 'x', { ...type, origin: 'https://example.com' }, 403],
    ['a name outside of the folder', `..%2f${name}`, 'x', type, 404],
  ])('is refused with %s', async (_, path, body, headers, status) => {
    expect(await put(path, body, headers)).toBe(status);
  });

  it('that breaks off stores nothing, and the others are still served', async () => {
    const cut = `${randomUUID()}-back.jpg`;
    const headers = { ...type, 'content-length': '100' };
    await new Promise<void>(resolve => {
      const upload = request(urlOf(cut), { method: 'PUT', headers }).on('error', () => {});
      upload.on('close', resolve).write('x', () => upload.destroy());
    });
    expect((await fetch(urlOf(cut))).status).toBe(404);
    expect(await put(name, 'three')).toBe(204);
  });

  it('is refused for a page whose host name leads to this machine', async () => {
    const status = new Promise(resolve => {
      const headers = { ...type, host: 'rebound.example' };
      request(urlOf(name), { method: 'PUT', headers }, ({ statusCode }) => resolve(statusCode)).end('x');
    });
    expect(await status).toBe(403);
  });
});
