/**
 * `npm run smoke` says of a deployment whether it works.
 * @module-tag full
 */
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { startInbox } from '../../functions/local/inbox.ts';
import { deliveryVariables } from '../../functions/local/variables.ts';
import { collections } from '../../schema/collections.ts';
import { startRelay } from '../delivery/relay.ts';
import { runProgram } from '../local/program.ts';
import { startService, useService } from '../setup/service.ts';

const account = 'c0000000-0000-4000-8000-000000000001';

const address = ['--mail', 'operator@builder.example'];

const service = useService();

const smoke = (url: string, env: Record<string, string> = {}, ...more: string[]) =>
  runProgram('smoke', [url, ...more], { PUBLISHABLE_KEY: service.publishableKey, TOKEN: '', ...env });

describe('npm run smoke', () => {
  it('prints a line per check of a correct deployment', async () => {
    const { code, stdout, stderr } = await smoke(`${service.url}/`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^✓ the database replies, and nothing is late: live \w+, mail off, webhooks ok/),
      '✓ no one reads without a key',
      ...collections.map(({ name }) =>
        name === 'graphics' ? '✓ anyone reads graphics' : `✓ anonymous callers cannot read ${name}`,
      ),
      '✓ a page of any origin may send requests',
      "– not tested: a customer's requests, live updates and what verifies tokens, without TOKEN",
      '– not tested: e-mail, without --mail <address>',
    ]);
  });

  it('with a token and the secret key acts as a customer, sees that a change is received, and leaves no rows', async () => {
    const env = { TOKEN: await service.token({ account }), SECRET_KEY: service.secretKey };
    const { code, stdout, stderr } = await smoke(service.url, env, ...address);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/^✓/gm)).toHaveLength(9 + collections.length);
    expect(stdout).toMatch(
      /^✓ a customer subscribes to its notifications\n✓ a change is received\n✓ a lock lasts as long as its transaction$/m,
    );
    expect(stdout).toMatch(/^– not tested: e-mail, since MAIL_FROM of the deployment is not set$/m);
    expect(await service.sql`select from builder.quotes`).toHaveLength(0);
    expect(await service.sql`select from builder.notifications`).toHaveLength(0);
    // Both writes took the lock: only behind it does the sequence move so far.
    const [ids] = await service.sql`
      select pg_sequence_last_value(pg_get_serial_sequence('builder.notifications', 'id')) > 4000 as are_far`;
    expect(ids).toEqual({ are_far: true });
  });

  it('with --mail has an e-mail sent there, and leaves no row that anybody finds', async () => {
    const inbox = await startInbox();
    const mails = {
      ...deliveryVariables(8787, true, {}).variables,
      MAIL_URL: `smtp://127.0.0.1:${inbox.port}`,
    };
    const sending = await startService({ bindings: mails });
    onTestFinished(async () => {
      await Promise.all([sending.stop(), inbox.stop()]);
    });
    const env = { PUBLISHABLE_KEY: sending.publishableKey, SECRET_KEY: sending.secretKey };
    const { code, stdout, stderr } = await smoke(sending.url, env, ...address);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^✓ the relay has accepted an e-mail/m);
    expect(inbox.mails).toMatchObject([{ to: ['operator@builder.example'] }]);
    expect(await sending.sql`select from builder.quotes where deleted_at is null`).toHaveLength(0);
    expect(await sending.sql`select from builder.notifications`).toHaveLength(0);
  });
});

describe('npm run smoke, when a response is wrong,', () => {
  it('fails when a part is late, such as deliveries with a wrong password of the jobs, and counts failing receivers', async () => {
    const { sql } = service;
    await sql`insert into builder.webhooks (url, secrets, failing_since) values ('https://erp.test/', '{whsec_x}', '2026-01-01')`;
    onTestFinished(async () => void (await sql`delete from builder.webhooks`));
    const failing = await smoke(service.url);
    expect([failing.code, failing.stdout]).toEqual([
      0,
      expect.stringMatching(/^– receivers of webhooks that fail: 1\./m),
    ]);
    const delivering = sql`function builder.delivery_status(boolean, boolean)`;
    await sql`revoke execute on ${delivering} from builder_deliverer`;
    const { code, stderr } = await smoke(service.url);
    await sql`grant execute on ${delivering} to builder_deliverer`;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^✗ nothing is late\n.*\n {2}late {6}webhooks: /),
    ]);
  });

  it('fails with the outcome of an e-mail that the relay does not accept', async () => {
    const relay = await startRelay({ certificate: inject('certificate'), smtp: { hideSTARTTLS: true } });
    const busy = await relay.failing({ at: 'RCPT', does: { reply: '451 4.3.2 busy' } });
    const sending = await startService({
      bindings: { ...deliveryVariables(8787, true, {}).variables, MAIL_URL: `smtp://127.0.0.1:${busy.port}` },
    });
    onTestFinished(async () => void (await Promise.all([sending.stop(), relay.stop()])));
    const env = { PUBLISHABLE_KEY: sending.publishableKey, SECRET_KEY: sending.secretKey };
    const { code, stderr } = await smoke(sending.url, env, ...address);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^✗ an e-mail\n.*\n {2}received {2}waiting: .*451/),
    ]);
  });

  it('stops, prints what was expected and what was received, and exits with 1', async () => {
    const { code, stdout, stderr } = await smoke(service.url, { PUBLISHABLE_KEY: 'another' });
    expect(code).toBe(1);
    expect(stdout.match(/^✓/gm)).toHaveLength(2);
    expect(stderr).toMatch(
      /^✗ anonymous callers cannot read quotes\n {2}GET \/rest\/v1\/quotes\?\S+\n {2}expected {2}401 \{"code":"42501"\n {2}received {2}401 \{"code":"PGRST301"/,
    );
  });
});
