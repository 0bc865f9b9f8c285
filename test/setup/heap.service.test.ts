import { expect, it } from 'vitest';
import { addressOf, instanceOptions, startMiniflare } from '../../functions/local/worker.ts';

/** Holds as many megabytes as the path says. */
const script = `
const held = [];
export default {
  fetch({ url }) {
    for (let n = Number(new URL(url).pathname.slice(1)); n > 0; n--) {
      held.push(new Array(2 ** 17).fill(0.5));
    }
    return new Response();
  },
}`;

it('V8 has no more memory in the tests than Cloudflare gives a worker: 128 MB', async () => {
  const worker = await startMiniflare({ ...instanceOptions(() => {}), name: 'all', modules: true, script });
  const { origin } = await addressOf(worker);
  expect((await fetch(`${origin}/100`)).status).toBe(200);
  await expect(fetch(`${origin}/40`)).rejects.toThrow();
  await worker.dispose();
});
