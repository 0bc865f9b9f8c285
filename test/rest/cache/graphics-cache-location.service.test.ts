/**
 * Isolates of one Cloudflare location share cached responses of the graphics library. Here two isolates run one
 * after the other, over one cache: the second is in a process of its own with empty memory.
 *
 * @module-tag full
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGraphic } from '../../setup/rows.ts';
import { type Reply, secondsLeft } from '../../setup/wire.ts';
import { type Library, openLibrary } from './library.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary(3600);
  await library.service.sql`insert into builder.graphics ${library.service.sql(aGraphic())}`;
});
afterAll(() => library.stop());

/** Bypasses the service, so that only a response from the database has the new name. */
const rename = (name: string) => library.service.sql`update builder.graphics set name = ${name}`;

/** Starts another isolate. A response is cached after it was sent, which may take a second. */
async function moveOn(seconds = 3600): Promise<void> {
  await sleep(1000);
  await library.service.restart({ GRAPHICS_CACHE_SECONDS: String(seconds) });
  library.wire.reset();
}

const described = ({ headers }: Reply) =>
  ['etag', 'vary', 'content-type', 'content-range'].map(name => headers.get(name));
const askedDatabase = () => library.wire.connections() + library.wire.roundTrips() > 0;

describe('a response that one isolate cached', () => {
  it('is sent by another until it expires, without a query to the database', async () => {
    await rename('before');
    const firsts = [
      [library.anon, await library.anon.get('/graphics?limit=1')],
      [library.other, await library.customer.get('/graphics?limit=1')],
    ] as const;
    await rename('after');
    await moveOn();
    for (const [caller, first] of firsts) {
      const reply = await caller.get('/graphics?limit=1');
      expect([reply.status, reply.text, described(reply)]).toEqual([200, first.text, described(first)]);
      expect(secondsLeft(reply)).toBeGreaterThan(3500);
      expect(secondsLeft(reply)).toBeLessThan(secondsLeft(first));
    }
    await expect.poll(() => library.service.logs.at(-1)).toMatch(/"cached":true/);
    expect(askedDatabase()).toBe(false);
  });

  it('is not used after the time to cache is shortened', async () => {
    await rename('before');
    await moveOn(3600);
    await library.anon.get('/graphics?limit=6');
    await rename('after');
    await moveOn(8);
    const reply = await library.anon.get('/graphics?limit=6');
    expect([reply.body[0].name, secondsLeft(reply) <= 8]).toEqual(['after', true]);
  });
});
