/**
 * `npm run smoke` says of a deployment whether it works.
 * @module-tag full
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startInbox } from '../../functions/local/inbox.ts';
import { deliveryVariables } from '../../functions/local/variables.ts';
import { collections } from '../../schema/collections.ts';
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
      '✓ the database replies',
      '✓ no one reads without a key',
      ...collections.map(({ name }) =>
        name === 'graphics' ? '✓ anyone reads graphics' : `✓ anonymous callers cannot read ${name}`,
      ),
      '✓ a page of any origin may send requests',
      '– a customer, live updates: skipped, because TOKEN is not set',
      '– an e-mail: skipped, because --mail is not set',
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
    expect(stdout).toMatch(/^– an e-mail: skipped, because MAIL_FROM of the deployment/m);
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
    expect(stdout).toMatch(/^✓ an e-mail was written/m);
    expect(inbox.mails).toMatchObject([{ to: ['operator@builder.example'] }]);
    expect(await sending.sql`select from builder.quotes where deleted_at is null`).toHaveLength(0);
    expect(await sending.sql`select from builder.notifications`).toHaveLength(0);
  });
});

describe('npm run smoke, when a response is wrong,', () => {
  it('stops, prints what was expected and what was received, and exits with 1', async () => {
    const { code, stdout, stderr } = await smoke(service.url, { PUBLISHABLE_KEY: 'another' });
    expect(code).toBe(1);
    expect(stdout.match(/^✓/gm)).toHaveLength(2);
    expect(stderr).toMatch(
      /^✗ anonymous callers cannot read quotes\n {2}GET \/rest\/v1\/quotes\?\S+\n {2}expected {2}401 \{"code":"42501"\n {2}received {2}401 \{"code":"PGRST301"/,
    );
  });
});
