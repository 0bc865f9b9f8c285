/**
 * Why functions/delivery/smtp.ts lets a socket's timeout do nothing. When this fails, workerd has mended
 * https://github.com/cloudflare/workerd/issues/7310, and that can go.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { instanceOptions, optionsOf, readConfig, startMiniflare } from '../../functions/local/worker.ts';

/** Sets a timeout of 0.1 s, gets an answer, clears the timeout, and waits for a second. */
const script = `
import { once } from 'node:events';
import { connect } from 'node:net';

export default {
  async fetch(request) {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(request.url).pathname.slice(1)) });
    let timeouts = 0;
    socket.setTimeout(100);
    socket.on('timeout', () => { timeouts += 1; });
    socket.write('hello');
    await once(socket, 'data');
    socket.setTimeout(0);
    await new Promise(resolve => setTimeout(resolve, 1000));
    socket.destroy();
    return Response.json(timeouts);
  },
};`;

it('a timeout of a socket that was cleared still comes in workerd', async () => {
  const echo = createServer(socket => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { compatibilityDate, compatibilityFlags } = optionsOf(readConfig('all'));
  const worker = await startMiniflare({
    ...instanceOptions(() => {}),
    ...{ name: 'all', modules: true, script, compatibilityDate, compatibilityFlags },
  } as Parameters<typeof startMiniflare>[0]);
  const { origin } = await worker.ready;
  const response = await fetch(`${origin}/${(echo.address() as AddressInfo).port}`);
  expect(await response.json()).toBeGreaterThan(0);
  await worker.dispose();
  echo.close();
});
