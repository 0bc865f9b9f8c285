/** From the change of a quote to the mail that a relay has taken and the webhook that was called, as a browser's write begins it. */
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { aNotification, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Caller, callerOf, signIn } from '../setup/wire.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { startRelay, type TestRelay } from './relay.ts';
import type { Received } from './relay-process.ts';

let relay: TestRelay;
let receivers: Receivers;
let service: Service;
let staff: Caller;
beforeAll(async () => {
  [relay, receivers] = await Promise.all([
    startRelay({ certificate: inject('certificate'), smtp: { hideSTARTTLS: true } }),
    startReceivers(),
  ]);
  service = await startService({
    bindings: {
      MAIL_URL: `smtp://127.0.0.1:${relay.port}`,
      MAIL_FROM: 'Uniform Builder <quotes@builder.example>',
      SERVICE_URL: 'https://api.builder.example',
      APP_URL: 'https://app.builder.example',
      WEBHOOKS_ON_LOOPBACK: 'on',
    },
  });
  staff = callerOf(service, service.secretKey);
});
afterAll(async () => {
  await Promise.all([service.stop(), relay.stop(), receivers.stop()]);
});

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A submitted quote of an account that staff have given a price before, so that its address is known. */
async function aSubmitted(account: string, address: string): Promise<string> {
  const { sql } = service;
  const priced = {
    status: 'quoted',
    quoted_at: '2026-01-01',
    source: 'csv_import',
    contact_email: address,
    unit_price: 1,
    total_price: 5,
  };
  await sql`insert into builder.quotes ${sql(aQuote(account, priced))}`;
  const [quote] = await sql`
    insert into builder.quotes ${sql(aQuote(account, { status: 'submitted', source: 'csv_import', quote_number: 'QT-2026-00042', contact_email: address }))} returning id`;
  return quote?.['id'];
}

const mailsTo = async (address: string): Promise<Received[]> =>
  (await relay.all()).filter(({ to }) => to.includes(address));
const settled = (account: string) => service.sql`
  select state, reason, attempts from builder.deliveries where account_id = ${account} order by id`;

describe('a quote that staff price', () => {
  const account = randomUUID();
  const address = 'coach@lions.example';
  let id: string;
  beforeAll(async () => {
    await service.sql`insert into builder.webhooks ${service.sql({ url: `${receivers.url}/200`, secrets: [secret] })}`;
    id = await aSubmitted(account, address);
    const priced = { status: 'quoted', unit_price: 25, total_price: 125, currency: 'USD' };
    expect(await staff.send('PATCH', `/quotes?id=eq.${id}`, priced)).toMatchObject({ status: 204 });
    const isSettled = async () => (await settled(account)).every(({ state }) => state === 'sent');
    await vi.waitUntil(isSettled, { timeout: 20_000, interval: 50 });
    expect(await settled(account)).toMatchObject([
      { state: 'sent', attempts: 1 },
      { state: 'sent', attempts: 1 },
    ]);
    await service.sql`delete from builder.webhooks`;
  });

  it('is told to its account in the application and by e-mail, once', async () => {
    expect(
      await service.sql`select body, channel from builder.notifications where account_id = ${account}`,
    ).toEqual([{ body: 'Your quote QT-2026-00042 has its price: 125 USD.', channel: 'email' }]);
    const [mail, ...others] = await mailsTo(address);
    expect(others).toEqual([]);
    expect(mail?.raw).toContain('Subject: Your quote QT-2026-00042 has its price: 125 USD.');
    expect(mail?.raw).toMatch(/^List-Unsubscribe: <https:\/\/api\.builder\.example\/unsubscribe\//m);
  });

  it('is told to the webhook, with a signature that Standard Webhooks verifies and nothing of the price', async () => {
    const [call] = (await receivers.calls()).filter(({ body }) => body.includes(id));
    const payload = new Webhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>);
    expect(payload).toMatchObject({
      type: 'quote.quoted',
      data: {
        quote_id: id,
        quote_number: 'QT-2026-00042',
        account_id: account,
        status: 'quoted',
        previous_status: 'submitted',
      },
    });
    expect(call?.body).not.toMatch(/price|currency/);
  });

  it('has a line in the log for each attempt, without address, secret or text', async () => {
    const lines = service.logs.filter(line => line.includes('"event":"delivery"'));
    expect(
      lines.some(line => line.includes('"delivery":"mail"') && line.includes('"host":"lions.example"')),
    ).toBe(true);
    expect(lines.some(line => line.includes('"delivery":"webhook"'))).toBe(true);
    expect(lines.filter(line => /coach|whsec|QT-2026/.test(line))).toEqual([]);
  });

  it('and /health says that deliveries are in time', async () => {
    expect(await (await service.fetch('/health')).json()).toMatchObject({ delivery: 'ok' });
  });
});

it('the staff get a mail when a customer submits, with a link to the quote and none to unsubscribe', async () => {
  const account = randomUUID();
  const desk = 'desk@builder.example';
  await service.restart({ STAFF_EMAIL: desk });
  onTestFinished(() => service.restart({ STAFF_EMAIL: '' }));
  const { sql } = service;
  // The database knows of the address from the object's first run on.
  await service.sweep();
  const knows = async () =>
    (await sql`select staff_address from builder.delivery_pace`)[0]?.['staff_address'];
  await expect.poll(knows, { timeout: 20_000 }).toBe(desk);
  const [quote] = await sql`insert into builder.quotes ${sql(aQuote(account))} returning id`;
  const customer = await signIn(service, { account });
  const submitted = await customer.send('PATCH', `/quotes?id=eq.${quote?.['id']}`, { status: 'submitted' });
  expect(submitted.status).toBe(204);
  await expect.poll(() => mailsTo(desk), { timeout: 20_000 }).toHaveLength(1);
  const [mail] = await mailsTo(desk);
  expect(mail?.raw).toMatch(/^Subject: Quote QT-2026-00001 has been submitted\.\r?$/m);
  expect(mail?.raw).toMatch(/^Message-ID: <event-\d+@builder\.example>/im);
  expect(mail?.raw).not.toContain('List-Unsubscribe');
  expect(mail?.raw.replaceAll('=\r\n', '')).toContain(`https://app.builder.example/quotes/${quote?.['id']}`);
  const { body } = await staff.get(`/deliveries?quote_id=eq.${quote?.['id']}&select=kind,state,recipient`);
  expect(body).toEqual([{ kind: 'staff_email', state: 'sent', recipient: 'd…@builder.example' }]);
});

it('an account that follows the link of a mail gets no more of them, and still its notifications', async () => {
  const account = randomUUID();
  await aSubmitted(account, 'one@tigers.example');
  const write = () =>
    staff.send('POST', '/notifications', aNotification(account, { channel: 'email' }), {
      prefer: 'return=minimal',
    });
  await write();
  await expect.poll(() => settled(account), { timeout: 20_000 }).toMatchObject([{ state: 'sent' }]);
  const [mail] = await mailsTo('one@tigers.example');
  const link =
    mail?.raw.replaceAll('=\r\n', '').match(/https:\/\/api\.builder\.example(\/unsubscribe\/[\w.-]+)/)?.[1] ??
    '';
  expect((await service.fetch(link)).status).toBe(200);
  await write();
  await expect.poll(() => settled(account), { timeout: 20_000 }).toMatchObject([{}, { state: 'sent' }]);
  const posted = await service.fetch(link, { method: 'POST', body: 'List-Unsubscribe=One-Click' });
  expect(posted.status).toBe(200);
  await write();
  await expect
    .poll(() => settled(account), { timeout: 20_000 })
    .toMatchObject([{}, {}, { state: 'skipped', reason: 'muted' }]);
  expect(await service.sql`select from builder.notifications where account_id = ${account}`).toHaveLength(3);
  expect((await service.fetch(`${link}x`, { method: 'POST' })).status).toBe(404);
});

it('mails that wait while the relay is away are sent when it is back, and no attempt counts', async () => {
  const account = randomUUID();
  await aSubmitted(account, 'two@tigers.example');
  const away = await relay.failing({ at: 'connect', does: 'cut', times: 3 });
  await service.restart({ MAIL_URL: `smtp://127.0.0.1:${away.port}` });
  await staff.send('POST', '/notifications', aNotification(account, { channel: 'email' }), {
    prefer: 'return=minimal',
  });
  await expect
    .poll(() => settled(account), { timeout: 20_000 })
    .toMatchObject([{ state: 'waiting', reason: expect.any(String), attempts: 0 }]);
  await service.restart({ MAIL_URL: `smtp://127.0.0.1:${relay.port}` });
  await service.sql`update builder.deliveries set due_at = now() where account_id = ${account}`;
  await service.sql`update builder.delivery_pace set mail_paused_until = now()`;
  await service.sweep();
  await expect
    .poll(() => settled(account), { timeout: 30_000 })
    .toMatchObject([{ state: 'sent', attempts: 1 }]);
});

it('the pause of a relay that is down grows although the object is a new one each time, and /health is late', async () => {
  const account = randomUUID();
  const { sql } = service;
  await aSubmitted(account, 'four@tigers.example');
  await staff.send('POST', '/notifications', aNotification(account, { channel: 'email' }), {
    prefer: 'return=minimal',
  });
  const pause = async () =>
    Number((await sql`select extract(epoch from mail_pause) as s from builder.delivery_pace`)[0]?.['s']);
  await sql`update builder.delivery_pace set mail_pause = '0', mail_paused_until = now()`;
  for (const seconds of [10, 20]) {
    await service.restart({ MAIL_URL: 'smtp://127.0.0.1:1' });
    await sql`update builder.delivery_pace set mail_paused_until = now()`;
    await sql`update builder.deliveries set due_at = now(), state = 'waiting' where account_id = ${account}`;
    await service.sweep();
    await expect.poll(pause, { timeout: 20_000 }).toBe(seconds);
  }
  await sql`update builder.delivery_pace set mail_failing_since = now() - interval '11 minutes'`;
  expect(await (await service.fetch('/health')).json()).toMatchObject({ delivery: 'late' });
  await sql`update builder.delivery_pace set mail_paused_until = now()`;
  await sql`update builder.deliveries set due_at = now() where account_id = ${account}`;
  await service.restart({ MAIL_URL: `smtp://127.0.0.1:${relay.port}` });
  await service.sweep();
  await expect.poll(() => settled(account), { timeout: 30_000 }).toMatchObject([{ state: 'sent' }]);
});

it('a webhook that hangs delays neither another nor the mails', async () => {
  const { sql } = service;
  const account = randomUUID();
  await sql`insert into builder.webhooks ${sql([
    { url: `${receivers.url}/hangs`, secrets: [secret] },
    { url: `${receivers.url}/200`, secrets: [secret] },
  ])}`;
  const ids = [];
  for (let n = 0; n < 6; n++) {
    ids.push(await aSubmitted(account, 'three@tigers.example'));
  }
  for (const id of ids) {
    await staff.send('PATCH', `/quotes?id=eq.${id}`, {
      status: 'quoted',
      unit_price: 25,
      total_price: 125,
      currency: 'USD',
    });
  }
  const taken = async () =>
    (await receivers.calls()).filter(({ path, body }) => path === '/200' && body.includes(account)).length;
  await expect.poll(taken, { timeout: 12_000 }).toBe(6);
  await expect.poll(async () => (await mailsTo('three@tigers.example')).length, { timeout: 12_000 }).toBe(6);
  await sql`delete from builder.webhooks`;
});

it('where no mail is configured, mails wait and /health says so', async () => {
  const account = randomUUID();
  // Not the shared one, which may have logged the line before: it is logged once an hour.
  const other = await startService({ bindings: {} });
  try {
    const all = callerOf(other, other.secretKey);
    await all.send('POST', '/notifications', aNotification(account, { channel: 'email' }), {
      prefer: 'return=minimal',
    });
    expect(await (await other.fetch('/health')).json()).toMatchObject({ delivery: 'off' });
    await expect
      .poll(() => other.logs.some(line => line.includes('no mail is configured')), { timeout: 20_000 })
      .toBe(true);
    expect(await other.sql`select state from builder.deliveries`).toEqual([{ state: 'waiting' }]);
  } finally {
    await other.stop();
  }
});
