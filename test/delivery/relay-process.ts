/** A relay in a process of its own: a real SMTP server, which keeps what it is sent, and ports where things go wrong. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Fault, FaultyRelay } from './faulty-relay.ts';
import { answerQuestions } from './other-process.ts';

export interface RelayOptions {
  certificate: { path: string; key: string };
  /** For the server itself. */
  smtp?: Pick<SMTPServerOptions, 'secure' | 'hideSTARTTLS' | 'hidePIPELINING' | 'disabledCommands'>;
  /** Without it, nobody need log in. */
  login?: { user: string; password: string };
}

export interface Received {
  from: string;
  to: string[];
  raw: string;
  secure: boolean;
  user: string | undefined;
}

export type Question =
  | { ask: 'start'; options: RelayOptions }
  /** Opens a port where this goes wrong. */
  | { ask: 'fail'; fault?: Fault }
  /** What came by a port. */
  | { ask: 'seen'; port: number }
  | { ask: 'received' };

const received: Received[] = [];
const faulty = new Map<number, FaultyRelay>();
let serverPort = 0;

async function start({ certificate, smtp, login }: RelayOptions): Promise<number> {
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
  serverPort = (listening.address() as AddressInfo).port;
  return serverPort;
}

async function fail(fault: Fault | undefined): Promise<number> {
  const relay = new FaultyRelay(serverPort, fault);
  const port = await relay.listen();
  faulty.set(port, relay);
  return port;
}

answerQuestions((question: Question) => {
  switch (question.ask) {
    case 'start':
      return start(question.options);
    case 'fail':
      return fail(question.fault);
    case 'seen':
      return faulty.get(question.port)?.seen;
    case 'received':
      return received;
  }
});
