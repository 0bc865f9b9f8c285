/** The receiver of functions/delivery/README.md, as it is printed there but for its port. */
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { callWebhook, webhookBody } from '../../functions/delivery/call-webhook.ts';
import { tryPort } from '../../functions/local/port.ts';
import { type Program, startCommand } from '../local/program.ts';
import { root } from '../setup/files.ts';
import { blocksOf } from '../setup/readmes.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { createSecret } from './secret.ts';

const [example] = blocksOf('ts', 'functions/delivery/README.md');
const text = example?.text ?? '';
const [body] = blocksOf('json', 'functions/delivery/README.md');

const secret = createSecret();
const directory = use(makeTemporaryDirectory, 'remove');
let url: string;
let receiver: Program;
beforeAll(async () => {
  await symlink(join(root, 'node_modules'), join(directory.path, 'node_modules'));
  const port = await tryPort(0);
  url = `http://127.0.0.1:${port}/`;
  await writeFile(join(directory.path, 'receiver.ts'), text.replace('9000', String(port)));
  await writeFile(join(directory.path, 'package.json'), '{ "type": "module" }');
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
  const options = { directory: directory.path, env: { WEBHOOK_SECRET: secret } };
  receiver = startCommand(process.execPath, [tsx, 'receiver.ts'], options);
  await vi.waitFor(() => fetch(url), { timeout: 30_000 });
}, 60_000);
afterAll(() => receiver.interrupt());

const send = (secrets: string[], body: string, now = Date.now()) =>
  callWebhook({ id: 'evt_4711', url, secrets, body }, { onLoopback: true, fetch }, now);

it('the receiver of the README accepts a call that one of its secrets signed, and no forged or old one', async () => {
  for (const [number, secrets] of [[secret], [createSecret(), secret]].entries()) {
    const event = JSON.stringify({ type: 'quote.ordered', data: { number } });
    expect(await send(secrets, event)).toEqual({ is: 'sent' });
    await receiver.printed(event);
  }
  const forged = '{"type":"forged"}';
  const failed = { is: 'failed', reason: '400' };
  expect(await send([createSecret()], forged)).toEqual(failed);
  expect(await send([secret], forged, Date.now() - 3_600_000)).toEqual(failed);
  expect(receiver.output()).not.toContain('forged');
});

it('the webhook body in the README is as it is sent', () => {
  const { type, timestamp, data } = JSON.parse(body?.text ?? '');
  const sent = webhookBody(data.id, { ...data, event: type, created_at: timestamp });
  expect(sent).toBe(JSON.stringify(JSON.parse(body?.text ?? '')));
});
