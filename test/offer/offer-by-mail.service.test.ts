/**
 * An offer is approved from its mail, in a browser that runs no scripts.
 * @module-tag chromium
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useDelivering } from '../delivery/delivering.ts';
import { startChromium } from '../setup/chromium.ts';
import { aQuote } from '../setup/rows.ts';
import { use } from '../setup/use.ts';
import { representation } from '../setup/wire.ts';
import { offersOf } from './shared.ts';

const delivering = useDelivering();
const chromium = use(startChromium, 'stop');

/** Returns the text of a mail (RFC 2045, 6.7). */
const textOf = (raw: string): string =>
  Buffer.from(
    raw
      .replace(/=\r?\n/g, '')
      .replace(/=([\dA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8');

const mailsTo = (address: string): string[] => delivering.mailsTo(address).map(({ raw }) => textOf(raw));

it('the mail of an offer leads to its page, and an approval there is mailed in words of its own', async () => {
  const { service, staff } = delivering;
  const { writeSeller, quoteOf } = offersOf(service);
  const account = randomUUID();
  const address = `coach-${account}@lions.example`;
  await writeSeller();
  await service.sql.unsafe(`create or replace function builder.email_of(account uuid, out address text, out language text)
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp
    as $$ begin address := 'coach-' || account || '@lions.example'; language := 'en'; end $$`);
  const asked = {
    status: 'submitted',
    customization: { players: [{ name: 'Ruiz', number: '00', size: 'M' }] },
  };
  const { body } = await staff.send('POST', '/quotes', aQuote(account, asked), representation);
  const [{ id }] = body;
  const priced = { status: 'quoted', unit_price: 20, total_price: 240 };
  expect((await staff.send('PATCH', `/quotes?id=eq.${id}`, priced)).status).toBe(204);
  const link = /https:\/\/api\.builder\.example(\/offer\?token=[\w.-]+)/;
  await expect.poll(() => mailsTo(address).join(''), { timeout: 30_000 }).toMatch(link);
  const [, path = ''] = link.exec(mailsTo(address).join('')) ?? [];
  const { page } = await chromium.openWithoutScripts(service.url + path);
  await page.getByRole('cell', { name: 'Ruiz' }).waitFor();
  await page.locator('#approved-name').fill('Ana Treasurer');
  await page.getByRole('button', { name: 'Approve for $240.00' }).click();
  await page.getByText('This offer was approved.').waitFor();
  expect(await quoteOf(id)).toMatchObject({ status: 'approved' });
  await expect
    .poll(() => mailsTo(address).filter(mail => mail.includes('Ana Treasurer')).length, { timeout: 30_000 })
    .toBe(1);
});
