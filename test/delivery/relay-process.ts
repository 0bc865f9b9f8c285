/** A relay in a process of its own: a real SMTP server, which keeps what it is sent, and what goes wrong before it. */
import { readFileSync } from 'node:fs';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Fault, FaultyRelay } from './faulty-relay.ts';

export interface RelayOptions {
  /** The files of its certificate; else it has one that nobody trusts. */
  certificate?: { path: string; key: string };
  /** For the server itself. */
  smtp?: Pick<SMTPServerOptions, 'secure' | 'hideSTARTTLS' | 'hidePIPELINING' | 'disabledCommands' | 'size'>;
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
  | { ask: 'fail'; fault: Fault | null }
  | { ask: 'report' };

export interface Report {
  received: Received[];
  /** What came in clear, by the port where things go wrong. */
  seen: string[];
  connections: number;
}

const received: Received[] = [];
let faulty: FaultyRelay;

const isAddress = (address: unknown): address is { address: string } => typeof address === 'object';

async function start({
  certificate,
  smtp,
  login,
}: RelayOptions): Promise<{ port: number; directPort: number }> {
  const server = new SMTPServer({
    ...smtp,
    ...(certificate && { cert: readFileSync(certificate.path), key: readFileSync(certificate.key) }),
    authOptional: login === undefined,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, callback) =>
      username === login?.user && password === login?.password
        ? callback(null, { user: String(username) })
        : callback(new Error(`Nobody is ${username} with ${password}`)),
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', chunk => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: isAddress(mailFrom) ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('latin1'),
          secure: session.secure,
          user: session.user === undefined ? undefined : String(session.user),
        });
        callback(null);
      });
    },
  });
  // What clients do to their connections is not this process's end.
  server.on('error', () => {});
  const directPort = await new Promise<number>(resolve => {
    const { server: listening } = server;
    server.listen(0, '127.0.0.1', () => resolve((listening.address() as { port: number }).port));
  });
  faulty = new FaultyRelay(directPort);
  return { port: await faulty.listen(), directPort };
}

async function answer(question: Question): Promise<unknown> {
  if (question.ask === 'start') {
    return start(question.options);
  }
  if (question.ask === 'fail') {
    faulty.fault = question.fault ?? undefined;
    faulty.seen = [];
    faulty.connections = 0;
    received.length = 0;
    return {};
  }
  return { received, seen: faulty.seen, connections: faulty.connections } satisfies Report;
}

process.on('message', async (question: Question) => process.send?.(await answer(question)));
process.on('disconnect', () => process.exit());
