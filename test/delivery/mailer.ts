/** Sends mails from within workerd. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { WorkerOptions } from 'miniflare';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Mail } from '../../functions/delivery/compose.ts';
import type { Relay } from '../../functions/delivery/mail-settings.ts';
import type { SendResult } from '../../functions/delivery/outbox.ts';
import type { SmtpTimes } from '../../functions/delivery/smtp.ts';
import { instanceOptions, optionsOf, readConfig, startMiniflare } from '../../functions/local/worker.ts';
import { wrangler } from '../../functions/local/wrangler.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import type { SendRequest } from './mail-worker.ts';

export interface TestMailer {
  /** Sends mails to a relay on this machine, and returns what became of each. */
  send(relay: Pick<Relay, 'port'> & Partial<Relay>, mails: Mail[], times?: SmtpTimes): Promise<SendResult[]>;
  /** Sends a mail by the worker's binding, or by one that fails. */
  sendByBinding(mail: Mail, fails?: SendRequest['fails'], times?: SmtpTimes): Promise<SendResult>;
}

const patience: SmtpTimes = { attempt: 20_000, reply: 20_000, beforeDot: 0 };

export const from = { name: 'Uniform Builder', address: 'quotes@builder.example' };

let made = 0;

/** A mail with an id of its own. */
export function newMail(changed: Partial<Mail> = {}): Mail {
  made += 1;
  return {
    message: `notification-${made}`,
    to: 'coach@customer.example',
    body: 'Quote QT-2026-00042 has a price.\n\nIt is valid for 30 days.',
    link: 'https://app.example.com/quotes/42',
    unsubscribe: 'https://api.example.com/unsubscribe/c0000000-0000-4000-8000-000000000001.abc',
    ...changed,
  };
}

export const messageId = ({ message }: Mail): string => `<${message}@builder.example>`;

/** Bundles a worker of this folder, as wrangler does; with the flags of wrangler.toml. */
export async function bundleTestWorker(name: string, directory: string): Promise<string> {
  const { compatibility_date: date, compatibility_flags: flags } = readConfig('all');
  const config = join(directory, 'wrangler.json');
  const main = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  await writeFile(
    config,
    JSON.stringify({ name, main, compatibility_date: date, compatibility_flags: flags }),
  );
  const args = [wrangler, 'deploy', '--dry-run', '--outdir', directory, '--config', config, '--env', ''];
  const quiet = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' };
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...quiet } });
  return join(directory, `${name}.js`);
}

/** The worker of a `describe`: it is started before its tests. `bindings` are miniflare's options. */
export function useMailer(bindings: Partial<WorkerOptions> = {}): TestMailer {
  const logs: string[] = [];
  let url = '';
  let stop = async () => {};
  beforeAll(async () => {
    const directory = await makeTemporaryDirectory();
    const script = await bundleTestWorker('mail-worker', directory.path);
    const { compatibilityDate, compatibilityFlags } = optionsOf(readConfig('all'));
    const worker = await startMiniflare({
      ...instanceOptions(line => logs.push(line)),
      name: 'all',
      modules: [{ type: 'ESModule', path: script }],
      modulesRoot: directory.path,
      compatibilityDate,
      compatibilityFlags,
      ...bindings,
    } as Parameters<typeof startMiniflare>[0]);
    url = (await worker.ready).href;
    stop = async () => {
      await worker.dispose();
      await directory.remove();
    };
  });
  afterAll(async () => {
    await stop();
    // A certificate that is refused is all that workerd itself logs.
    const ofTls = /kj\/compat\/tls|TLS handshake failed|expectedServerHostname/;
    expect(logs.filter(line => !ofTls.test(line))).toEqual([]);
  });
  const ask = async (request: SendRequest): Promise<SendResult[]> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(request) });
    return response.ok ? response.json() : Promise.reject(new Error(await response.text()));
  };
  return {
    send(relay, mails, times = patience) {
      const via = { is: 'smtp', relay: { host: 'localhost', tls: 'none', ...relay } } as const;
      return ask({ settings: { via, from }, times, mails });
    },
    async sendByBinding(mail, fails, times = patience) {
      const [outcome] = await ask({ settings: { from }, times, mails: [mail], ...(fails && { fails }) });
      return outcome as SendResult;
    },
  };
}
