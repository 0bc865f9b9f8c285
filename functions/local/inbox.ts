/** The inbox of `npm start`: an SMTP server that takes the e-mails of the service, keeps the last of them, and passes none on. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Response } from 'miniflare';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { miniflare } from './miniflare.ts';
import { loopback } from './port.ts';

/** So that all of them take some MB of memory at most. */
const kept = { mails: 50, bytes: 256 * 1024, characters: 20_000 };

interface InboxMail {
  /** The same at each attempt to deliver it. */
  id: string;
  to: string[];
  subject: string;
  text: string;
  /** Where the account stops its e-mail. */
  unsubscribe: string | undefined;
  /** When it came, in ISO 8601. */
  received: string;
}

export interface Inbox {
  port: number;
  /** Newest first. */
  mails: InboxMail[];
  stop(): Promise<void>;
}

/** On any free port of this machine's loopback interface. */
export async function startInbox(): Promise<Inbox> {
  const mails: InboxMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: kept.bytes,
    rejectOversized: true,
    closeTimeout: 100,
    // Otherwise it prints a warning about the certificate that it does not use.
    logger: false,
    async onData(stream, session, callback) {
      try {
        mails.unshift(await readMail(stream, session));
        mails.splice(kept.mails);
        callback();
      } catch (error) {
        callback(error as Error);
      }
    },
  });
  // What clients do to their connections doesn't end the process.
  server.on('error', () => {});
  const listener = server.listen(0, loopback);
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    mails,
    stop: () => new Promise(resolve => void server.close(() => resolve())),
  };
}

async function readMail(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<InboxMail> {
  const { messageId = '', subject = '', text = '', headers } = await PostalMime.parse(await readAll(stream));
  const unsubscribe = headers.find(({ key }) => key === 'list-unsubscribe')?.value;
  return {
    id: messageId,
    to: envelope.rcptTo.map(({ address }) => address),
    subject: subject.slice(0, kept.characters),
    text: text.slice(0, kept.characters),
    unsubscribe: /^<(https?:\/\/[^<>\s]+)>$/.exec(unsubscribe ?? '')?.[1],
    received: new Date().toISOString(),
  };
}

/** Reads to the end, also of what is too large, since the client hears of it only then. */
async function readAll(stream: SMTPServerDataStream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    if (!stream.sizeExceeded) {
      chunks.push(chunk);
    }
  }
  if (stream.sizeExceeded) {
    throw new Error('The message is too large');
  }
  return Buffer.concat(chunks);
}

/** What the page `/demo` shows of deliveries: the e-mails that were sent. */
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
