/**
 * A session with a relay. nodemailer speaks SMTP over a socket that is opened here, because it would resolve the name itself
 * and then compare the certificate with an IP address. Each step has its own timeout here.
 */
import net from 'node:net';
import { Readable } from 'node:stream';
import tls from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { deliveryLimits } from './delivery-limits.ts';
import type { Relay } from './mail-settings.ts';
import type { SmtpFailure } from './smtp-result.ts';

/** The envelope, with exactly these fields: others, such as `size`, would be written into the commands (GHSA-c7w3-x93f-qmm8). */
export interface Envelope {
  from: string;
  to: string;
}

/** Timeouts in milliseconds. */
export type SmtpTimes = Record<'attempt' | 'reply' | 'beforeDot', number>;

type Step<T> = Promise<Result<T, SmtpFailure>>;
type SmtpError = Error & { response?: string | undefined; command?: string | undefined };

export class SmtpSession {
  readonly #connection: SMTPConnection;

  private constructor(connection: SMTPConnection) {
    this.#connection = connection;
  }

  /** Connects, starts TLS as the settings demand, and logs in. */
  static open(relay: Relay, deadline: number): Step<SmtpSession> {
    return new Promise(resolve => {
      const socket = connect(relay);
      let connection: SMTPConnection | undefined;
      let isReady = false;
      const timer = setTimeout(
        () => end({ at: 'session', event: 'no reply in time' }),
        deadline - monotonicNow(),
      );
      const end = (failure: SmtpFailure): void => {
        clearTimeout(timer);
        resolve(fail(failure));
        connection?.close();
        socket.destroy();
      };
      const onError = (error: SmtpError): void => {
        if (isReady) {
          // Closing the connection here would hide the error from the mail that is being sent.
          return;
        }
        const failure = failureAt('session', error);
        end({ ...failure, event: lackOf(relay, connection) ?? failure.event });
      };
      const onReady = (): void => {
        isReady = true;
        clearTimeout(timer);
        resolve(ok(new SmtpSession(connection as SMTPConnection)));
      };
      socket.on('error', onError);
      socket.once(relay.tls === 'implicit' ? 'secureConnect' : 'connect', () => {
        connection = greet(socket, relay, onError, onReady);
      });
    });
  }

  get isOpen(): boolean {
    return !this.#connection.destroyed;
  }

  /**
   * Sends a mail before the time `deadline`; the reply to the whole message then has its own timeout. The final dot follows
   * the message after a short pause, so that a connection that ends during the message has certainly not delivered it.
   */
  send(envelope: Envelope, message: Uint8Array, deadline: number, times: SmtpTimes): Step<undefined> {
    const connection = this.#connection;
    const { from, to } = envelope;
    let at: SmtpFailure['at'] = 'session';
    // Each reply sets it. Until the first reply, the relay has not accepted the sender.
    connection.lastServerResponse = false;
    const reached = () => (at === 'session' && connection.lastServerResponse !== false ? 'recipient' : at);
    return new Promise(resolve => {
      let isOver = false;
      const end = (result: Result<undefined, SmtpFailure>) => {
        isOver = true;
        clearTimeout(timer);
        resolve(result);
      };
      const giveUp = () => {
        end(fail({ at: reached(), event: 'no reply in time' }));
        connection.close();
      };
      let timer = setTimeout(giveUp, deadline - monotonicNow());
      const body = async function* (): AsyncGenerator<Uint8Array> {
        yield message;
        await scheduler.wait(times.beforeDot);
        if (!isOver) {
          at = 'message';
          clearTimeout(timer);
          timer = setTimeout(giveUp, times.reply);
        }
      };
      connection.send({ from, to }, Readable.from(body(), { objectMode: false }), error =>
        end(error ? fail(failureAt(reached(), error)) : ok(undefined)),
      );
    });
  }

  /** Resets the session after a refused mail, if it can be reused. */
  async reset(): Promise<void> {
    await this.#inTime(done => this.#connection.reset(error => done(!error)));
  }

  /** Sends QUIT. The result does not matter, since the relay has replied to all mails. */
  async quit(): Promise<void> {
    await this.#inTime(done => {
      this.#connection.once('end', () => done(true));
      this.#connection.quit();
    });
  }

  async #inTime(work: (done: (isDone: boolean) => void) => void): Promise<boolean> {
    if (!this.isOpen) {
      return false;
    }
    const isDone = await new Promise<boolean>(resolve => {
      const timer = setTimeout(() => resolve(false), deliveryLimits.mail.goodbye);
      const end = (is: boolean): void => {
        clearTimeout(timer);
        resolve(is);
      };
      this.#connection.once('error', () => end(false));
      work(end);
    });
    if (!isDone) {
      this.#connection.close();
    }
    return isDone;
  }
}

const connect = ({ host, port, tls: mode }: Relay): net.Socket =>
  mode === 'implicit'
    ? tls.connect({ host, port, ...(net.isIP(host) === 0 && { servername: host }) })
    : net.connect({ host, port });

function greet(
  socket: net.Socket,
  { host, tls: mode, credentials }: Relay,
  onError: (error: SmtpError) => void,
  onReady: () => void,
): SMTPConnection {
  const connection = new SMTPConnection({
    connection: socket,
    host,
    secure: mode === 'implicit',
    secured: mode === 'implicit',
    requireTLS: mode === 'starttls',
    ignoreTLS: mode === 'none',
    maxResponseSize: deliveryLimits.mail.replyBytes,
    // Don't wait after QUIT.
    socketCloseTimeout: 0,
  });
  connection.on('error', onError);
  connection.connect(error => {
    if (error) {
      onError(error);
    } else if (mode !== 'none' && !connection.secure) {
      onError(new Error('The relay’s connection has no TLS'));
    } else if (credentials) {
      const { user, password } = credentials;
      connection.login({ user, pass: password }, refused => (refused ? onError(refused) : onReady()));
    } else {
      onReady();
    }
  });
  return connection;
}

/** Returns what the connection lacks, if known. For a failed handshake, workerd reports only a lost connection or an internal error. */
function lackOf({ tls: mode }: Relay, connection: SMTPConnection | undefined): string | undefined {
  if (connection === undefined) {
    return mode === 'implicit' ? 'no connection, or no TLS with a valid certificate' : 'no connection';
  }
  const isUpgrading = connection.upgrading || connection.secure;
  const awaitsTls = isUpgrading && String(connection.lastServerResponse).startsWith('220');
  return mode === 'starttls' && awaitsTls ? 'no TLS with a valid certificate after STARTTLS' : undefined;
}

/** Returns the failure of an error. `reached` is the stage of the mail, in case the error names no command. */
function failureAt(reached: SmtpFailure['at'], { response, command = '', message }: SmtpError): SmtpFailure {
  const at =
    ({ 'MAIL FROM': 'sender', 'RCPT TO': 'recipient', DATA: 'message' } as const)[command] ?? reached;
  // A reply to a login may repeat the credentials.
  const reply = command.startsWith('AUTH')
    ? `${/^\d{3}(?:[ -]\d\.\d+\.\d+)?/.exec(response ?? '')?.[0]} login refused`
    : response;
  return { at, event: message, ...(reply !== undefined && { reply }) };
}
