/**
 * What requests leave in an isolate is bounded, whatever their outcome. An isolate has 128 MB, as on Cloudflare.
 * @module-tag pgbouncer
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawRequest, Wire } from '../fuzz/send.ts';
import { Wire as LiveWire } from '../live/wire.ts';
import { freePort } from '../setup/free-port.ts';
import { heapsOf } from '../setup/heap.ts';
import { mapAtOnce } from '../setup/map-at-once.ts';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { budget } from './budget.ts';
import { json } from './target.ts';

const kib = 1024;
/** Characters that no other text has. */
const text = (length: number): string => randomUUID() + 'x'.repeat(length);
const large = () => text(900 * kib);
/** Nearly as long as an address may be. */
const long = () => text(14_000);
/** So many of these texts that their characters are a fifth more than all kinds of requests may leave together. */
const of = (make: () => string): number => Math.ceil((1.2 * budget.leftMegabytes * kib ** 2) / make().length);
const fieldsOf = (headers: object) => Object.entries(headers).map(pair => pair.join(': '));

describe('the deployed workers', () => {
  let service: Service;
  let inspectorPort: number;
  let wire: Wire;
  const account = randomUUID();
  let quote: string;
  let anonymous: Record<string, string>;
  let customer: Record<string, string>;
  beforeAll(async () => {
    inspectorPort = await freePort();
    // Lets deliveries call webhooks of this machine.
    service = await startService({ inspectorPort, bindings: { WEBHOOKS_ON_LOOPBACK: 'on' } });
    wire = new Wire(service.url, { timeout: 60_000, kept: 4000 });
    anonymous = service.headers();
    customer = service.headers(await service.token({ account }));
    const { sql } = service;
    await sql`insert into builder.graphics ${sql(aGraphic())}`;
    const made = await sql`insert into builder.quotes ${sql(aQuote(account) as never)} returning id`;
    quote = made[0]?.['id'];
  });
  afterAll(async () => {
    wire.close();
    await service.stop();
  });

  const post = (row: object, headers = {}, path = '/quotes'): RawRequest => ({
    method: 'POST',
    path: `/rest/v1${path}`,
    headers: { ...customer, ...json, ...headers },
    body: JSON.stringify(row),
  });
  const largeQuote = (of: string, more = {}) => aQuote(of, { customization: { a: large() }, ...more });
  const change = (more = {}): RawRequest => ({
    ...post({ customization: { a: large() } }, more),
    method: 'PATCH',
    path: `/rest/v1/quotes?id=eq.${quote}`,
  });
  const get = (path: string, headers: object = {}): RawRequest => ({
    path,
    headers: { ...anonymous, ...headers },
  });
  const filtered = () => `/rest/v1/graphics?select=name::int&name=neq.${long()}`;

  /** Does work, and expects that it leaves nothing when all that it began has ended. */
  async function expectNothingLeft(work: () => Promise<unknown>): Promise<void> {
    const before = await heapsOf(inspectorPort);
    await work();
    const tooMuch = async () =>
      Object.entries(await heapsOf(inspectorPort)).filter(
        ([name, now]) => now - (before[name] ?? 0) > budget.leftMegabytes,
      );
    await expect.poll(tooMuch, { timeout: 60_000 }).toEqual([]);
  }

  type Outcome = [what: string, status: number, count: number, make: () => RawRequest];
  const answered: Outcome[] = [
    ['stored', 201, of(large), () => post(largeQuote(account))],
    ['of another account', 403, of(large), () => post(largeQuote(randomUUID()))],
    ['that break a rule', 409, of(large), () => post(largeQuote(account, { status: 'ordered' }))],
    ['with a stale version', 412, of(large), () => change({ 'if-match': '"0"' })],
    ['answered with large rows', 200, 8, () => get('/rest/v1/quotes?limit=9', customer)],
    ['whose cast fails', 400, of(long), () => get(filtered())],
    ['with a long filter', 200, of(long), () => get(`/rest/v1/graphics?code=neq.${long()}`)],
  ];
  const refusedBefore: Outcome[] = [
    ['with an unknown column', 400, of(large), () => post(largeQuote(account, { [text(100)]: 1 }))],
    ['with a value of the wrong type', 400, of(large), () => post(aQuote(account, { sport: large() }))],
    ['that are no JSON', 400, of(large), () => ({ ...post({}), body: `{"a":"${large()}` })],
    [
      'of an unknown media type',
      400,
      of(large),
      () => post(largeQuote(account), { 'content-type': `x/${text(9)}` }),
    ],
    ['that are too large', 413, of(large), () => post({ a: text(1100 * kib) })],
    ['without a key', 401, of(large), () => ({ ...post(largeQuote(account)), headers: json })],
    ['to an unknown path', 404, of(large), () => post(largeQuote(account), {}, `/${text(100)}`)],
    [
      'to open a socket with a wrong key',
      401,
      of(long),
      () => get(`/realtime/v1/websocket?apikey=${long()}`),
    ],
    ['with an unparsable select', 400, of(long), () => get(`/rest/v1/graphics?select=(${long()}`)],
    ['with a wrong token', 401, 850, () => get('/rest/v1/quotes', { authorization: `Bearer ${text(7000)}` })],
  ];
  it.each([
    ['answered', answered],
    ['refused before the database', refusedBefore],
  ])(
    'requests that are %s leave nothing, large or with long texts',
    { timeout: 600_000, tags: ['full'] },
    async (_, kinds) => {
      const found: Record<string, number[]> = {};
      await expectNothingLeft(async () => {
        for (const [what, , count, make] of kinds) {
          const statuses = new Set<number>();
          await mapAtOnce(Array(count).fill(0), 4, async () =>
            statuses.add((await wire.send(make())).status),
          );
          statuses.delete(429); // A busy machine is slow to send large responses, of which a caller has a share.
          found[what] = [...statuses];
        }
      });
      expect(found).toEqual(Object.fromEntries(kinds.map(([what, status]) => [what, [status]])));
    },
  );

  it('requests with thousands of long tokens leave a few megabytes', { tags: ['full'] }, async () => {
    const also = Array.from({ length: 60 }, () => randomUUID());
    const filler = 'x'.repeat(2000);
    const tokens = await Promise.all(
      Array.from({ length: 1100 }, (_, jti) => service.token({ account, also, claims: { jti, filler } })),
    );
    await expectNothingLeft(() =>
      mapAtOnce(tokens, 8, token =>
        wire.send({ path: '/rest/v1/quotes?limit=0', headers: service.headers(token) }),
      ),
    );
  });

  it('sockets whose joins are refused leave nothing', { tags: ['full'] }, () =>
    expectNothingLeft(() =>
      mapAtOnce(Array(450).fill(0), 4, async n => {
        const live = await LiveWire.open(service, { isForgetful: true, ref: n });
        const refused = await live.join(text(100), [], `a.${text(15_000)}.b`);
        expect(refused).toMatchObject({ status: 'error' });
        live.close();
        await expect.poll(() => live.closed).toBeDefined();
      }),
    ),
  );

  it('channels keep of their joins only what they use', { tags: ['full'] }, async () => {
    const token = await service.token({ account });
    const sockets = await Promise.all([0, 1].map(() => LiveWire.open(service, { isForgetful: true })));
    await expectNothingLeft(async () => {
      for (const live of sockets) {
        for (let n = 0; n < 100; n++) {
          const ref = live.send(`realtime:${n}`, 'phx_join', {
            config: { postgres_changes: [] },
            access_token: token,
            // A first message is shorter.
            more: text(n === 0 ? 100 : 30_000),
          });
          expect(await live.reply(ref)).toMatchObject({ status: 'ok' });
        }
      }
    });
    for (const live of sockets) {
      live.close();
    }
  });
  it('uploads that are cut off leave nothing', () =>
    expectNothingLeft(() =>
      mapAtOnce(Array(20).fill(0), 4, async () => {
        const { hostname, port } = new URL(service.url);
        const socket = connect(Number(port), hostname);
        const head = ['POST /rest/v1/quotes HTTP/1.1', `host: ${hostname}`, 'content-length: 1000000'];
        socket.on('error', () => {}).write([...head, ...fieldsOf(customer), '', text(600_000)].join('\r\n'));
        await sleep(100);
        socket.destroy();
      }),
    ));

  describe('while a row is locked', () => {
    /** Sends changes of a large text, some at once, and ends each in this way when it waits. */
    async function sendBlocked(count: number, end: (sent: Promise<unknown>, abort: () => void) => unknown) {
      await service.sql.begin(async holder => {
        await holder`select from builder.quotes where id = ${quote} for update`;
        await mapAtOnce(Array(count).fill(0), 5, async () => {
          const { method = '', path, headers, body } = change();
          const controller = new AbortController();
          const init = { method, headers, body: String(body), signal: controller.signal };
          const sent = service.fetch(path, init).then(
            async response => [response.status, await response.text()],
            () => undefined,
          );
          await end(sent, () => controller.abort());
          await sent;
        });
      });
    }

    it('changes that take too long leave nothing', { tags: ['full'] }, () =>
      expectNothingLeft(() => sendBlocked(of(large), sent => sent)),
    );

    it('changes whose client hangs up leave nothing', () =>
      expectNothingLeft(() => sendBlocked(of(large), (_, abort) => sleep(200).then(abort))));

    it('changes whose backend ends leave nothing', () =>
      expectNothingLeft(() =>
        sendBlocked(of(large), async () => {
          await sleep(300);
          await service.sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and usename = 'builder_api' and wait_event_type = 'Lock'`;
        }),
      ));
  });

  it('calls of webhooks that fail leave nothing', { tags: ['full'] }, async () => {
    const server = createServer((_, response) => void response.writeHead(500).end(large()));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { sql } = service;
    const webhook = {
      url: `http://127.0.0.1:${port}/`,
      secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`],
    };
    await sql`insert into builder.webhooks ${sql(webhook)}`;
    await expectNothingLeft(async () => {
      const drafts = Array.from({ length: 40 }, () => aQuote(randomUUID()));
      await sql`insert into builder.quotes ${sql(drafts as never)}`;
      await sql`update builder.quotes set status = 'submitted' where account_id in ${sql(drafts.map(({ account_id }) => account_id))}`;
      await wire.send(post(aQuote(account)));
      const tried = () => sql`select from builder.deliveries where kind = 'webhook' and attempts > 0`;
      await expect.poll(async () => (await tried()).length, { timeout: 60_000 }).toBeGreaterThan(30);
    });
    await sql`update builder.webhooks set disabled_at = now()`;
    server.close();
  });
});
