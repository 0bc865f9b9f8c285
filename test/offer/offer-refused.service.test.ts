/** Who opens no offer: forged tokens, too many requests, and links that are turned off. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { signId } from '../../functions/common/signed-id.ts';
import { unsubscribePurpose } from '../../functions/delivery/unsubscribe.ts';
import { offerLinkPurpose } from '../../functions/offer/offer-link.ts';
import { startService } from '../setup/service.ts';
import { approval, asData, navigates, offersOf } from './shared.ts';

it('a forged token costs no message to the database, and counts against the rate of its address', async () => {
  const service = await startService({ databasePort: 1, rateLimits: { ADDRESS_LIMIT: 5 } });
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
  // Nobody listens where the database should be.
  const path = `/offer?token=${await signId(service.secretKey, offerLinkPurpose, id)}`;
  const unavailable = await get(path);
  expect([unavailable.status, await unavailable.text()]).toEqual([503, expect.stringContaining('try again')]);
  expect((await post(path, approval)).status).toBe(503);
  const limited = await get(`/offer?token=${forged[0]}`, { ...navigates, 'accept-language': 'de' });
  expect([limited.status, limited.headers.get('retry-after'), await limited.text()]).toEqual([
    429,
    '10',
    expect.stringContaining('Zu viele Anfragen'),
  ]);
  expect(await (await get(path, asData)).json()).toMatchObject({ code: 'PT429' });
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
