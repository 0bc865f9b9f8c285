/** A relay: a real SMTP server, which keeps what it is sent, and ports of it where things go wrong. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Mail } from '../../functions/delivery/compose.ts';
import { use } from '../setup/use.ts';
import { type Fault, type FaultyPort, openFaultyPort } from './faulty-relay.ts';
import { messageId } from './mailer.ts';

interface RelayOptions {
  certificate: { path: string; key: string };
  /** For the server itself. */
  smtp?: Pick<SMTPServerOptions, 'secure' | 'hideSTARTTLS' | 'hidePIPELINING' | 'disabledCommands'>;
  /** Without it, nobody need log in. */
  login?: { user: string; password: string };
}

interface Received {
  from: string;
  to: string[];
  raw: string;
  secure: boolean;
  user: string | undefined;
}

export type TestRelay = Awaited<ReturnType<typeof startRelay>>;

export async function startRelay({ certificate, smtp, login }: RelayOptions) {
  const received: Received[] = [];
  const faulty: FaultyPort[] = [];
  const server = new SMTPServer({
    ...smtp,
    cert: readFileSync(certificate.path),
    key: readFileSync(certificate.key),
    authOptional: login === undefined,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, callback) =>
      username === login?.user && password === login?.password
        ? callback(null, { user: String(username) })
        : callback(new Error(`Nobody is ${username} with ${password}`)),
    onRcptTo({ address }, { id }, callback) {
      if (address.startsWith('cut@')) {
        const of = [...server.connections].find(({ session }) => session.id === id);
        of?._socket.destroy();
        return;
      }
      callback(address.startsWith('nobody@') ? new Error('5.1.1 There is no such user') : null);
    },
    onData(stream, { envelope, secure, user }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', chunk => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('latin1'),
          secure,
          user: user === undefined ? undefined : String(user),
        });
        callback(null);
      });
    },
  });
  // What clients do to their connections does not end the process.
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    port,
    /** Opens another port of it, where this goes wrong. */
    async failing(fault?: Fault): Promise<FaultyPort> {
      const opened = await openFaultyPort(port, fault);
      faulty.push(opened);
      return opened;
    },
    /** These mails, as often as they came and in that order. */
    received(mails: Mail[]): Received[] {
      const ids = mails.map(mail => `Message-ID: ${messageId(mail)}\r\n`);
      return received.filter(({ raw }) => ids.some(id => raw.includes(id)));
    },
    all: () => [...received],
    async stop(): Promise<void> {
      for (const each of faulty) {
        each.close();
      }
      const closed = new Promise<void>(resolve => void server.close(() => resolve()));
      for (const { _socket: socket } of server.connections) {
        socket.destroy();
      }
      await closed;
    },
  };
}

/** The relay of a `describe`: it is started before its tests, and until then has no properties. */
export const useRelay = (options: () => RelayOptions | Promise<RelayOptions>): TestRelay =>
  use(async () => startRelay(await options()), 'stop');
