/** Who opens no offer: forged tokens, too many requests, and links that are turned off. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { signId } from '../../functions/common/signed-id.ts';
import { unsubscribePurpose } from '../../functions/delivery/unsubscribe.ts';
import { offerLinkPurpose } from '../../functions/offer/offer-link.ts';
import { startService } from '../setup/service.ts';
import { approval, navigates, offersOf } from './shared.ts';

const asGerman = { ...navigates, 'accept-language': 'de' };

it('a forged token costs no message to the database', async () => {
  // Nobody listens where the database should be.
  const service = await startService({ databasePort: 1 });
  const { get, post } = offersOf(service);
  const id = randomUUID();
  const forged = [
    `${id}.${'A'.repeat(43)}`,
    await signId('sb_secret_other', offerLinkPurpose, id),
    await signId(service.secretKey, unsubscribePurpose, id),
  ];
  for (const token of forged) {
    expect((await get(`/offer?token=${token}`)).status).toBe(404);
  }
  const path = `/offer?token=${await signId(service.secretKey, offerLinkPurpose, id)}`;
  const unavailable = await get(path);
  expect([unavailable.status, await unavailable.text()]).toEqual([503, expect.stringContaining('try again')]);
  expect((await post(path, approval)).status).toBe(503);
  await service.stop();
});

it('forged tokens count against the rate of their address', async () => {
  const service = await startService({ databasePort: 1, rateLimits: { ADDRESS_LIMIT: 1 } });
  const { get } = offersOf(service);
  const path = `/offer?token=${randomUUID()}.${'A'.repeat(43)}`;
  // A window of ten seconds may end between two of them.
  const responses = await Promise.all(Array.from({ length: 3 }, () => get(path, asGerman)));
  const limited = responses.find(({ status }) => status === 429);
  expect([limited?.headers.get('retry-after'), await limited?.text()]).toEqual([
    '10',
    expect.stringContaining('Zu viele Anfragen'),
  ]);
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
