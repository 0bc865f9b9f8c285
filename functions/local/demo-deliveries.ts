/** What the page `/demo` shows of deliveries: the e-mails that were sent. */
import { createRequire } from 'node:module';
import type { Response } from 'miniflare';
import { startInbox } from './inbox.ts';
import { loopback } from './port.ts';

const miniflare = createRequire(import.meta.url)('miniflare') as typeof import('miniflare');

export interface DemoDeliveries {
  /** The worker's, so that it sends its e-mail to the inbox. */
  variables: { MAIL_URL: string };
  /** Answers the worker's requests. */
  answer(): Promise<Response>;
  stop(): Promise<void>;
}

export async function startDemoDeliveries(): Promise<DemoDeliveries> {
  const inbox = await startInbox();
  return {
    variables: { MAIL_URL: `smtp://${loopback}:${inbox.port}` },
    answer: async () => new miniflare.Response(JSON.stringify(inbox.mails)),
    stop: () => inbox.stop(),
  };
}
