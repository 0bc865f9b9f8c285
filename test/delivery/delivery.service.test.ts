/** From the change of a quote to the mail that a relay has taken and the webhook that was called, as a browser's write begins it. */
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { aNotification, aQuote } from '../setup/rows.ts';
import { startService } from '../setup/service.ts';
import { callerOf, signIn } from '../setup/wire.ts';
import { secret, useDelivering } from './delivering.ts';

const d = useDelivering();
const soon = { timeout: 20_000 };
const priced = { status: 'quoted', unit_price: 25, total_price: 125, currency: 'USD' };
/** The text of a mail without the ends of quoted-printable lines. */
const unfolded = (raw = '') => raw.replaceAll('=\r\n', '');

describe('a quote that staff price', () => {
  const account = randomUUID();
  const address = 'coach@lions.example';
  let id: string;
  /** By kind. */
  let messageIds: Record<string, string>;
  beforeAll(async () => {
    await d.aWebhook('/200');
    const row = { status: 'submitted', quote_number: 'QT-2026-00042', contact_email: address };
    id = await d.aQuoteOf(account, row);
    expect(await d.staff.send('PATCH', `/quotes?id=eq.${id}`, priced)).toMatchObject({ status: 204 });
    const sent = { state: 'sent', attempts: 1 };
    await vi.waitFor(async () => expect(await d.deliveriesOf(account)).toMatchObject([sent, sent]), soon);
    const { body } = await d.staff.get(`/deliveries?quote_id=eq.${id}&select=kind,message_id`);
    messageIds = Object.fromEntries(
      body.map(({ kind, message_id }: Record<string, string>) => [kind, message_id]),
    );
    await d.service.sql`delete from builder.webhooks`;
  });

  it('is announced to its account in the application and by e-mail, once', async () => {
    const body = 'Your quote QT-2026-00042 has its price: $125.00.';
    const stored = d.service
      .sql`select body, channel from builder.notifications where account_id = ${account}`;
    expect(await stored).toEqual([{ body, channel: 'email' }]);
    const [mail, ...others] = d.mailsTo(address);
    expect(others).toEqual([]);
    expect(mail?.raw).toContain(`Subject: ${body}`);
    expect(unfolded(mail?.raw)).toContain(
      `\r\n\r\nHello,\r\n\r\n${body}\r\n\r\nhttps://app.builder.example/quotes/${id}\r\n`,
    );
    expect(mail?.raw).toMatch(/^List-Unsubscribe: <https:\/\/api\.builder\.example\/unsubscribe\//m);
  });

  it('is sent to the webhook with a valid signature and without its price', async () => {
    const [call] = d.receivers.calls().filter(({ body }) => body.includes(id));
    const payload = new Webhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>);
    const data = { quote_id: id, account_id: account, status: 'quoted', previous_status: 'submitted' };
    expect(payload).toMatchObject({ type: 'quote.quoted', data });
    expect(call?.body).not.toMatch(/price|currency/);
  });

  it('has the ids of its deliveries, as staff read them, in the headers of its mail and of its call', async () => {
    const [call] = d.receivers.calls().filter(({ body }) => body.includes(id));
    const [event] = await d.service.sql`
      select id from builder.quote_events where quote_id = ${id} and event = 'quote.quoted'`;
    expect(d.mailsTo(address)[0]?.raw).toContain(`Message-ID: <${messageIds['email']}@builder.example>\r\n`);
    expect(call?.headers['webhook-id']).toBe(messageIds['webhook']);
    const data = { id: messageIds['webhook'], event_id: Number(event?.['id']) };
    expect(JSON.parse(call?.body ?? '').data).toMatchObject(data);
  });

  it('leaves a log line for each attempt, without address, secret or text', async () => {
    const lines = () => d.service.logs.filter(line => line.includes('"event":"delivery"'));
    await expect.poll(lines, soon).toHaveLength(2);
    expect(lines().sort().join()).toMatch(/"delivery":"mail".*"host":"lions\.example".*"delivery":"webhook"/);
    expect(lines().join()).not.toMatch(/coach|whsec|QT-2026/);
    expect(await d.health()).toMatchObject({ mail: 'ok', webhooks: 'ok', failing: 0 });
  });
});

it('the mail of an offer has the same link at each attempt, which nothing else has, also while the key rotates', async () => {
  const { sql, restart } = d.service;
  await sql`insert into builder.event_messages (event, channel, body, link) values ('offer_seller', 'in_app', 'Uniforms', null)`;
  onTestFinished(
    async () => void (await sql`delete from builder.event_messages where event = 'offer_seller'`),
  );
  const keys = [d.service.secretKey, `sb_secret_${'n'.repeat(40)}`];
  const address = 'treasurer@lions.example';
  const id = await d.aQuoteOf(randomUUID(), { status: 'submitted', contact_email: address });
  await d.staff.send('PATCH', `/quotes?id=eq.${id}`, priced);
  const linkOf = (raw = '') => /https:\/\/api\.builder\.example(\/offer\?token=[\w.-]+)/.exec(raw)?.[1] ?? '';
  const links = () => d.mailsTo(address).map(({ raw }) => linkOf(unfolded(raw).replaceAll('=3D', '=')));
  await expect.poll(links, soon).toHaveLength(1);
  // As if its attempts had failed, before and after a rotation.
  const repeat = () =>
    sql`update builder.deliveries set state = 'waiting', due_at = now(), settled_at = null where quote_id = ${id}`;
  await repeat();
  await d.notify(randomUUID());
  await expect.poll(links, soon).toHaveLength(2);
  await restart({ SECRET_KEY: keys.toReversed().join() });
  onTestFinished(() => restart({ SECRET_KEY: keys[0] ?? '' }));
  await repeat();
  await d.health();
  await expect.poll(links, soon).toHaveLength(3);
  const tokens = links().map(link => link.slice('/offer?token='.length));
  expect(new Set(tokens.map(token => token.split('.')[0])).size).toBe(1);
  for (const link of links()) {
    expect((await d.service.fetch(link)).status).toBe(200);
  }
  const signatures = tokens.map(token => token.split('.')[1] ?? '');
  const tables = await sql`select tablename as name from pg_tables where schemaname = 'builder'`;
  for (const { name } of tables) {
    const rows = await sql`select t::text as row from builder.${sql(name)} t`;
    expect([name, signatures.filter(one => JSON.stringify(rows).includes(one))]).toEqual([name, []]);
  }
  expect(signatures.filter(one => d.service.logs.join().includes(one))).toEqual([]);
});

it('the staff get a mail when a customer submits, with a link to the quote and none to unsubscribe', async () => {
  const account = randomUUID();
  const desk = 'desk@builder.example';
  const { sql } = d.service;
  await d.service.restart({ STAFF_EMAIL: desk });
  onTestFinished(() => d.service.restart({ STAFF_EMAIL: '' }));
  // The database knows the address from the object's first run on, which a look at /health begins.
  await d.health();
  const known = async () => (await sql`select staff_address from builder.delivery_pace`)[0];
  await expect.poll(known, soon).toEqual({ staff_address: desk });
  const [quote] = await sql`insert into builder.quotes ${sql(aQuote(account))} returning id`;
  const id = quote?.['id'];
  const customer = await signIn(d.service, { account });
  const submitted = await customer.send('PATCH', `/quotes?id=eq.${id}`, { status: 'submitted' });
  expect(submitted.status).toBe(204);
  await expect.poll(() => d.mailsTo(desk), soon).toHaveLength(1);
  const [mail] = d.mailsTo(desk);
  expect(mail?.raw).toMatch(/^Subject: Quote QT-2026-00001 has been submitted\.\r?$/m);
  expect(mail?.raw).toMatch(/^Message-ID: <[\da-f-]{36}@builder\.example>/im);
  expect(mail?.raw).not.toContain('List-Unsubscribe');
  expect(unfolded(mail?.raw)).toContain(`https://app.builder.example/quotes/${id}`);
  const listed = async () =>
    (await d.staff.get(`/deliveries?quote_id=eq.${id}&select=kind,state,recipient`)).body;
  const sent = { kind: 'staff_email', state: 'sent', recipient: 'd…@builder.example' };
  await expect.poll(listed, soon).toEqual([sent]);
});

it('an account that unsubscribes gets no more mails, and still its notifications', async () => {
  const account = await d.anAccount('one@tigers.example');
  await d.notify(account);
  await expect.poll(() => d.deliveriesOf(account), soon).toMatchObject([{ state: 'sent' }]);
  const [mail] = d.mailsTo('one@tigers.example');
  const link = /https:\/\/api\.builder\.example(\/unsubscribe\/[\w.-]+)/.exec(unfolded(mail?.raw))?.[1] ?? '';
  expect((await d.service.fetch(link)).status).toBe(200);
  await d.notify(account);
  await expect.poll(() => d.deliveriesOf(account), soon).toMatchObject([{}, { state: 'sent' }]);
  const posted = await d.service.fetch(link, { method: 'POST', body: 'List-Unsubscribe=One-Click' });
  expect(posted.status).toBe(200);
  await d.notify(account);
  const unsubscribed = { state: 'skipped', reason: 'unsubscribed' };
  await expect.poll(() => d.deliveriesOf(account), soon).toMatchObject([{}, {}, unsubscribed]);
  const stored = await d.service.sql`select from builder.notifications where account_id = ${account}`;
  expect(stored).toHaveLength(3);
  expect((await d.service.fetch(`${link}x`, { method: 'POST' })).status).toBe(404);
});

it('mails wait while the relay is down, which /health says, and are sent when it is back', async () => {
  const { sql } = d.service;
  const account = await d.anAccount('two@tigers.example');
  const away = await d.relay.failing({ at: 'connect', does: 'cut' });
  await d.service.restart({ MAIL_URL: d.mailUrl(away.port) });
  await d.notify(account);
  const waiting = [{ state: 'waiting', reason: expect.any(String), attempts: 0 }];
  await expect.poll(() => d.deliveriesOf(account), soon).toMatchObject(waiting);
  await sql`update builder.delivery_pace set mail_failing_since = now() - interval '11 minutes'`;
  expect(await d.health()).toMatchObject({ mail: 'late', webhooks: 'ok' });
  await d.service.restart({ MAIL_URL: d.mailUrl(d.relay.port) });
  await sql`update builder.delivery_pace set mail_paused_until = now()`;
  await sql`update builder.deliveries set due_at = now() where account_id = ${account}`;
  await d.service.sweep();
  await expect.poll(() => d.deliveriesOf(account), soon).toMatchObject([{ state: 'sent', attempts: 1 }]);
});

it('a mail whose reply is lost arrives, at worst twice with one Message-ID, and then counts as sent', async () => {
  const [lost, never] = [
    { account: await d.anAccount('three@tigers.example'), losing: 1, arrivals: 2, reason: null },
    { account: await d.anAccount('four@tigers.example'), losing: 5, arrivals: 2, reason: /may have arrived/ },
  ];
  for (const [address, { account, losing, arrivals, reason }] of Object.entries({
    three: lost,
    four: never,
  })) {
    const relay = await d.relay.failing({ at: 'answer', does: 'cut', times: losing });
    await d.service.restart({ MAIL_URL: d.mailUrl(relay.port) });
    await d.notify(account);
    const waiting = { state: 'waiting', attempts: 1, reason: expect.stringMatching(/may have arrived/) };
    await expect.poll(() => d.deliveriesOf(account), soon).toMatchObject([waiting]);
    await d.service.sql`update builder.deliveries set due_at = now() where account_id = ${account}`;
    await d.service.sweep();
    const sent = { state: 'sent', attempts: 2, reason: reason && expect.stringMatching(reason) };
    await expect.poll(() => d.deliveriesOf(account), soon).toMatchObject([sent]);
    const ids = d
      .mailsTo(`${address}@tigers.example`)
      .map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1]);
    expect(ids).toHaveLength(arrivals);
    expect(new Set(ids).size).toBe(1);
  }
  await d.service.restart({ MAIL_URL: d.mailUrl(d.relay.port) });
});

it('with DELIVER=off, a call waits unless its webhook is on this machine, unclaimed, which is not late', async () => {
  const { sql } = d.service;
  const account = randomUUID();
  await d.service.restart({ DELIVER: 'off' });
  const here = await d.aWebhook('/204?held');
  const elsewhere = [
    'https://held.example/',
    'http://127.0.0.1:80@held.example/',
    'http://127.0.0.1.held.example:80/',
  ];
  const others = await Promise.all(elsewhere.map(url => d.aWebhook('', { url })));
  onTestFinished(async () => void (await sql`delete from builder.webhooks`));
  const id = await d.aQuoteOf(account, { status: 'submitted' });
  await d.staff.send('PATCH', `/quotes?id=eq.${id}`, priced);
  const calls = (webhooks: string[]) => sql`
    select state, claims from builder.deliveries where webhook_id in ${sql(webhooks)}`;
  await expect.poll(() => calls([here]), soon).toEqual([{ state: 'sent', claims: 1 }]);
  expect(await calls(others)).toEqual(others.map(() => ({ state: 'waiting', claims: 0 })));
  await sql`
    update builder.deliveries set due_at = now() - interval '1 hour' where webhook_id in ${sql(others)}`;
  expect(await d.health()).toMatchObject({ webhooks: 'ok' });
  await d.service.restart({ DELIVER: 'on' });
  await d.health();
  const isClaimed = async () => (await calls(others)).every(({ claims }) => claims > 0);
  await expect.poll(isClaimed, soon).toBe(true);
});

it('where no mail is configured, mails wait and /health says so', async () => {
  // Not the shared one, which may have logged the line before: it is logged once an hour.
  const other = await startService({ bindings: {} });
  onTestFinished(() => other.stop());
  const row = aNotification(randomUUID(), { channel: 'email' });
  await callerOf(other, other.secretKey).send('POST', '/notifications', row);
  expect(await (await other.fetch('/health')).json()).toMatchObject({ mail: 'off', webhooks: 'ok' });
  const isLogged = () => other.logs.some(line => line.includes('no mail is configured'));
  await expect.poll(isLogged, soon).toBe(true);
  expect(await other.sql`select state from builder.deliveries`).toEqual([{ state: 'waiting' }]);
});
