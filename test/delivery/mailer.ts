/** Sends mails from within workerd. */
import { randomUUID } from 'node:crypto';
import type { WorkerOptions } from 'miniflare';
import { expect } from 'vitest';
import type { Mail } from '../../functions/delivery/compose.ts';
import type { Relay } from '../../functions/delivery/mail-settings.ts';
import type { SendResult } from '../../functions/delivery/outbox.ts';
import type { SmtpTimes } from '../../functions/delivery/smtp.ts';
import { use } from '../setup/use.ts';
import type { SendRequest } from './mail-worker.ts';
import { startTestWorker } from './test-worker.ts';

const patience: SmtpTimes = { attempt: 20_000, reply: 20_000, beforeDot: 0 };

export const from = { name: 'Uniform Builder', address: 'quotes@builder.example' };

/** A mail with an id of its own. */
export function newMail(changed: Partial<Mail> = {}): Mail {
  return {
    messageId: randomUUID(),
    to: 'coach@customer.example',
    greeting: null,
    body: 'Quote QT-2026-00042 has a price.\n\nIt is valid for 30 days.',
    link: 'https://app.example.com/quotes/42',
    language: 'en',
    unsubscribe: 'https://api.example.com/unsubscribe/c0000000-0000-4000-8000-000000000001.abc',
    ...changed,
  };
}

export const messageId = (mail: Mail): string => `<${mail.messageId}@builder.example>`;

/** The worker of a `describe`: it is started before its tests. `options` are miniflare's. */
export function useMailer(options: Partial<WorkerOptions> = {}) {
  const worker = use(async () => {
    const { stop, ...started } = await startTestWorker('mail-worker', options);
    return {
      ...started,
      async stop() {
        await stop();
        // A certificate that is refused is all that workerd itself logs.
        const ofTls = /kj\/compat\/tls|TLS handshake failed|expectedServerHostname/;
        expect(started.logs.filter(line => !ofTls.test(line))).toEqual([]);
      },
    };
  }, 'stop');
  const ask = async (request: SendRequest): Promise<SendResult[]> => {
    const response = await fetch(worker.url, { method: 'POST', body: JSON.stringify(request) });
    return response.ok ? response.json() : Promise.reject(new Error(await response.text()));
  };
  return {
    /** Sends mails to a relay on this machine, and returns what became of each. */
    send(relay: Pick<Relay, 'port'> & Partial<Relay>, mails: Mail[], times = patience) {
      const via = { is: 'smtp', relay: { host: 'localhost', tls: 'none', ...relay } } as const;
      return ask({ settings: { via, from }, times, mails });
    },
    /** Sends a mail by the worker's binding, or by one that fails. */
    async sendByBinding(mail: Mail, fails?: SendRequest['fails'], times = patience): Promise<SendResult> {
      const [outcome] = await ask({ settings: { from }, times, mails: [mail], ...(fails && { fails }) });
      return outcome as SendResult;
    },
  };
}
