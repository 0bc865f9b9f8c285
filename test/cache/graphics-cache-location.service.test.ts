/**
 * Isolates of one Cloudflare location share cached responses of the graphics library. Here two isolates run one
 * after the other, over one cache: the second is in a process of its own with empty memory.
 *
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RoundTripCounter, startRoundTripCounter } from '../setup/round-trips.ts';
import { aGraphic } from '../setup/rows.ts';
import { postgresPort, type Service, startService } from '../setup/service.ts';
import { type Caller, callerOf, type Reply, secondsLeft, signIn } from '../setup/wire.ts';

let wire: RoundTripCounter;
let service: Service;
let anon: Caller;
let customer: Caller;
let other: Caller;
let staff: Caller;

beforeAll(async () => {
  wire = await startRoundTripCounter(postgresPort());
  service = await startService({ databasePort: wire.port, bindings: { GRAPHICS_CACHE_SECONDS: '3600' } });
  const signedIn = (isStaff: boolean) => signIn(service, { account: randomUUID(), staff: isStaff });
  anon = callerOf(service, service.publishableKey);
  [customer, other, staff] = await Promise.all([signedIn(false), signedIn(false), signedIn(true)]);
  await service.sql`insert into builder.graphics ${service.sql(aGraphic())}`;
});
afterAll(async () => {
  await service.stop();
  await wire.stop();
});

/** Bypasses the service, so that only a response from the database has the new name. */
const rename = (name: string) => service.sql`update builder.graphics set name = ${name}`;
const nameIn = async (caller: Caller, path: string) => (await caller.get(path)).body[0].name;

/** Starts another isolate. A response is cached after it was sent, which may take a second. */
async function moveOn(seconds = 3600): Promise<void> {
  await sleep(1000);
  await service.restart({ GRAPHICS_CACHE_SECONDS: String(seconds) });
  wire.reset();
}

const described = ({ headers }: Reply) =>
  ['etag', 'vary', 'content-type', 'content-range'].map(name => headers.get(name));
const askedDatabase = () => wire.connections() + wire.roundTrips() > 0;

describe('a response that one isolate cached', () => {
  it('is sent by another until it expires, without a query to the database', async () => {
    await rename('before');
    const firsts = [
      [anon, await anon.get('/graphics?limit=1')],
      [other, await customer.get('/graphics?limit=1')],
    ] as const;
    await rename('after');
    await moveOn();
    for (const [caller, first] of firsts) {
      const reply = await caller.get('/graphics?limit=1');
      expect([reply.status, reply.text, described(reply)]).toEqual([200, first.text, described(first)]);
      expect(secondsLeft(reply)).toBeGreaterThan(3500);
      expect(secondsLeft(reply)).toBeLessThan(secondsLeft(first));
    }
    await expect.poll(() => service.logs.at(-1)).toMatch(/"cached":true/);
    expect(askedDatabase()).toBe(false);
  });

  it('is sent to customers as to anonymous callers, and not to staff', async () => {
    await rename('before');
    await service.sql`insert into builder.graphics ${service.sql(aGraphic({ name: 'hidden', is_active: false }))}`;
    await anon.get('/graphics?limit=3');
    const ofStaff = await staff.get('/graphics?limit=4');
    await rename('after');
    await moveOn();
    expect(ofStaff.text).toContain('hidden');
    expect(await nameIn(staff, '/graphics?limit=3')).toBe('after');
    expect(await nameIn(customer, '/graphics?limit=3')).toBe('before');
    expect(await nameIn(anon, '/graphics?limit=3')).toBe('before');
    expect(await nameIn(staff, '/graphics?limit=4')).toBe('after');
    expect((await anon.get('/graphics?limit=4')).body).toHaveLength(1);
  });

  it('is not sent after it expires', async () => {
    const began = Date.now();
    await moveOn();
    // The response must live until another isolate has been started, which takes longer on a busy machine.
    const seconds = 2 + 3 * Math.ceil((Date.now() - began) / 1000);
    await moveOn(seconds);
    await rename('before');
    await anon.get('/graphics?limit=5');
    await rename('after');
    await moveOn(seconds);
    const late = await anon.get('/graphics?limit=5');
    expect(late.body[0].name).toBe('before');
    expect(secondsLeft(late)).toBeLessThan(seconds);
    await sleep(secondsLeft(late) * 1000 + 1000);
    const over = await anon.get('/graphics?limit=5');
    expect([over.body[0].name, askedDatabase()]).toEqual(['after', true]);
  });

  it('is not used after the time to cache is shortened', async () => {
    await rename('before');
    await moveOn(3600);
    await anon.get('/graphics?limit=6');
    await rename('after');
    await moveOn(8);
    const reply = await anon.get('/graphics?limit=6');
    expect([reply.body[0].name, secondsLeft(reply) <= 8]).toEqual(['after', true]);
  });
});
