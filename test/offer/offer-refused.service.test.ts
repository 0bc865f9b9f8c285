/** Who opens no offer: forged tokens, too many requests, and links that are turned off. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { signId } from '../../functions/common/signed-id.ts';
import { unsubscribePurpose } from '../../functions/delivery/unsubscribe.ts';
import { offerLinkPurpose } from '../../functions/offer/offer-link.ts';
import { startService } from '../setup/service.ts';
import { approval, asData, navigates, offersOf } from './shared.ts';

it('a forged token costs no message to the database, and a page says that the database can’t be reached', async () => {
  // Nobody listens where the database should be.
  const service = await startService({ databasePort: 1 });
  const { get, post } = offersOf(service);
  const id = randomUUID();
  for (const token of [
    `${id}.${'A'.repeat(43)}`,
    await signId('sb_secret_other', offerLinkPurpose, id),
    await signId(service.secretKey, unsubscribePurpose, id),
  ]) {
    expect((await get(`/offer?token=${token}`)).status).toBe(404);
  }
  const path = `/offer?token=${await signId(service.secretKey, offerLinkPurpose, id)}`;
  for (const reply of [await get(path), await post(path, approval)]) {
    expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining('try again')]);
  }
  await service.stop();
});

it('forged tokens count against the rate of their address', async () => {
  const service = await startService({ rateLimits: { ADDRESS_LIMIT: 3 } });
  const { get } = offersOf(service);
  const path = `/offer?token=${randomUUID()}.${'A'.repeat(43)}`;
  const german = { ...navigates, 'accept-language': 'de' };
  // More than two windows allow.
  const pages = await Promise.all(Array.from({ length: 10 }, () => get(path, german)));
  const limited = pages.find(({ status }) => status === 429);
  expect([limited?.headers.get('retry-after'), await limited?.text()]).toEqual([
    '10',
    expect.stringContaining('Zu viele Anfragen'),
  ]);
  const errors = await Promise.all(Array.from({ length: 10 }, () => get(path, asData)));
  const bodies = await Promise.all(errors.map(async reply => (await reply.json()) as { code: string }));
  expect(bodies.map(({ code }) => code)).toContain('PT429');
  await service.stop();
});

it('OFFER_LINKS=off ends all links', async () => {
  const service = await startService({ bindings: { OFFER_LINKS: 'off' } });
  const { quote, link, get, post, quoteOf } = offersOf(service);
  const id = await quote();
  const { path } = await link(id);
  expect([(await get(path)).status, (await post(path, approval)).status]).toEqual([404, 404]);
  expect((await quoteOf(id))['status']).toBe('quoted');
  await service.stop();
});

it('a link opens nothing while there is no seller to name, or one of invisible letters', async () => {
  const service = await startService();
  const { quote, link, get, post, quoteOf, writeSeller } = offersOf(service);
  const id = await quote();
  const { path } = await link(id);
  for (const body of ['\u200b\u3164', '\u2800 \u00ad']) {
    await writeSeller('en', body);
    expect([(await get(path)).status, (await post(path, approval)).status]).toEqual([404, 404]);
  }
  await writeSeller();
  await service.sql`update builder.event_messages set enabled = false where event = 'offer_seller'`;
  expect([(await get(path)).status, (await post(path, approval)).status]).toEqual([404, 404]);
  expect((await quoteOf(id))['status']).toBe('quoted');
  await service.sql`update builder.event_messages set enabled = true where event = 'offer_seller'`;
  expect((await get(path)).status).toBe(200);
  await service.stop();
});
