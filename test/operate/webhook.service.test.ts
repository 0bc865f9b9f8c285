import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { startReceivers } from '../delivery/receivers.ts';
import { createSecret } from '../delivery/secret.ts';
import { runProgram } from '../local/program.ts';
import { useDatabase } from '../setup/database.ts';
import { aQuote } from '../setup/rows.ts';
import { use } from '../setup/use.ts';

const database = useDatabase();
const receivers = use(startReceivers, 'stop');

const run = (args: string[], url = database.ownerUrl) => runProgram('webhook', args, { DATABASE_URL: url });

/** Runs a command that succeeds, and returns what it prints. */
async function webhook(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

const rowOf = async (id: string) => (await database.sql`select * from builder.webhooks where id = ${id}`)[0];

/** A webhook in the database, with secrets of its own. */
async function given(url: string, secrets = [createSecret()]): Promise<string> {
  const [row] = await database.sql`
    insert into builder.webhooks (url, secrets) values (${url}, ${secrets}) returning id`;
  return row?.['id'];
}

const printedSecret = (output: string): string => /whsec_\S+/.exec(output)?.[0] ?? '';

describe('npm run webhook', () => {
  it('adds a webhook, and prints its secret this once', async () => {
    const events = ['quote.quoted', 'quote.shipping'];
    const output = await webhook('add', 'https://Example.com/hook', '--events', events.join());
    const [, id = ''] = /^added {3}([\da-f-]{36})$/m.exec(output) ?? [];
    const secrets = [expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)];
    expect(await rowOf(id)).toMatchObject({ secrets: [printedSecret(output)] });
    const url = 'https://example.com/hook';
    expect(await rowOf(id)).toMatchObject({ url, secrets, events, disabled_at: null });
    const list = await webhook('list');
    expect(list).toContain(`${id}  https://example.com/hook  quote.quoted,quote.shipping  1 secret  enabled`);
    expect(list).not.toContain('whsec_');
  });

  it('rotates a secret: the new one signs first, the old one until it is removed', async () => {
    const old = createSecret();
    const id = await given('https://example.com/', [old]);
    const secret = printedSecret(await webhook('rotate', id));
    expect(await rowOf(id)).toMatchObject({ secrets: [secret, old] });
    const twice = { code: 1, stderr: expect.stringContaining('Run remove-secret first') };
    expect(await run(['rotate', id])).toMatchObject(twice);
    expect(await webhook('remove-secret', id)).toMatch(/ {2}1 secret {2}enabled$/);
    expect(await rowOf(id)).toMatchObject({ secrets: [secret] });
  });

  it('disables a webhook, and enables it as if it had never failed', async () => {
    const id = await given('https://example.com/');
    await database.sql`update builder.webhooks set failing_since = now() where id = ${id}`;
    expect(await webhook('list')).toMatch(new RegExp(`^${id} .* {2}failing since \\d{4}-\\S+Z$`, 'm'));
    expect(await webhook('disable', id)).toMatch(/ {2}disabled since \S+Z: by npm run webhook$/);
    expect(await webhook('enable', id)).toMatch(/ {2}enabled$/);
    expect(await rowOf(id)).toMatchObject({ disabled_at: null, disabled_because: null, failing_since: null });
  });

  it('prints the last deliveries of a webhook, newest first, and no secret', async () => {
    const { sql } = database;
    const id = await given('https://example.com/hook');
    expect(await webhook('deliveries', id)).toBe('It has no deliveries.');
    const [quote] = await sql`
      insert into builder.quotes ${sql(aQuote(randomUUID(), { status: 'submitted', source: 'builder' }))} returning id`;
    const quoteId = quote?.['id'];
    await sql`update builder.quotes set status = 'cancelled' where id = ${quoteId}`;
    const [first, second] = await sql`select id from builder.deliveries where webhook_id = ${id} order by id`;
    await sql`update builder.deliveries set state = 'dead', attempts = 10, due_at = null,
      settled_at = '2026-01-02T03:04:05Z', reason = '500 oops' where id = ${first?.['id']}`;
    const [newest, oldest, ...more] = (await webhook('deliveries', id)).split('\n');
    expect(more).toEqual([]);
    expect(newest).toMatch(
      new RegExp(`^${second?.['id']}  quote.cancelled  ${quoteId}  waiting  0 attempts  due \\d{4}-\\S+Z$`),
    );
    expect(oldest).toBe(
      `${first?.['id']}  quote.submitted  ${quoteId}  dead  10 attempts  2026-01-02T03:04:05.000Z  500 oops`,
    );
  });

  it('sends a test that is signed with each secret, and writes nothing', async () => {
    const secrets = [createSecret(), createSecret()];
    const id = await given(`${receivers.url}/204`, secrets);
    const before = await rowOf(id);
    expect(await webhook('test', id)).toBe('sent');
    expect(await rowOf(id)).toEqual(before);
    const [call] = receivers.calls();
    for (const secret of secrets) {
      const headers = call?.headers as Record<string, string>;
      const payload = new Webhook(secret).verify(call?.body ?? '', headers);
      expect(payload).toMatchObject({ type: 'webhook.test', data: {} });
    }
  });
});

it.each<[args: string[], line: RegExp, url?: string]>([
  [['add', 'https://a.example/', '--events', 'quoted'], /^Unknown event "quoted"\. The events are quote/],
  [['add', 'http://127.0.0.1:9000/'], /^That URL cannot be used/, 'postgres://owner@db.example.com/builder'],
])('npm run webhook reports a mistake in one line and exits with 1: %j', async (args, line, url) => {
  const { code, stdout, stderr } = await run(args, url);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd()).toMatch(line);
  expect(stderr.trimEnd()).not.toContain('\n');
});
