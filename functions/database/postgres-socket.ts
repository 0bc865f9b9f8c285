/**
 * The socket of a connection, with the events and methods that the driver expects: it relies on the driver's
 * inside, see functions/local/relied-on.ts for its version. The driver's own socket for Workers does not distinguish a lost
 * connection from other errors, and closing it leaves a promise that rejects.
 */
import { Buffer } from 'node:buffer';
import { EventEmitter } from 'node:events';
import { connect as connectInNode } from 'node:net';
import { kib } from '../common/limits.ts';
import type { Tls } from './database-address.ts';

/** Size of each connection's read buffer, in bytes. */
const readBytes = 16 * kib;

interface Address {
  host: string;
  port: number;
  /** Certificates are always verified. */
  tls: Tls;
}

/** A socket for the driver. Emits `data` with a Buffer, `error` and `close`. */
export interface Socket extends EventEmitter {
  write(data: Uint8Array): boolean;
}

/**
 * Returns the driver's option `socket`. It opens one socket only: when the server closes a connection during start-up, the
 * driver keeps opening new sockets, and the message would wait for them. This way it fails with the first one.
 */
export function socketOption(tls: Tls, onOpen: (socket: Socket) => void) {
  let isFirst = true;
  return ({ host: [host = ''], port: [port = 0] }: { host: string[]; port: number[] }): Socket => {
    if (!isFirst) {
      throw Object.assign(new Error('The server closed the connection'), { code: 'CONNECTION_CLOSED' });
    }
    isFirst = false;
    const socket = openSocket({ host, port, tls });
    onOpen(socket);
    return socket;
  };
}

/** Opens a socket. Returns before it has connected; writes wait until then. In Node, which only runs tests, it has no TLS. */
const openSocket = (address: Address): Socket =>
  'WebSocketPair' in globalThis ? new WorkerSocket(address) : connectInNode(address.port, address.host);

type Raw = ReturnType<typeof import('cloudflare:sockets').connect>;

/** A socket of workerd. It closes as soon as a read reports the end. */
class WorkerSocket extends EventEmitter implements Socket {
  readyState: 'open' | 'closed' = 'open';
  readonly #connected: Promise<void>;
  #raw: Raw | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  /** Whether TLS is used and nothing has arrived yet. */
  #inHandshake: boolean;

  constructor(address: Address) {
    super();
    this.#inHandshake = address.tls !== 'disable';
    this.#connected = this.#connect(address);
    this.#readAll().then(
      () => this.#close(),
      error => this.#close(error),
    );
  }

  write(data: Uint8Array): boolean {
    const written = this.#writer
      ? this.#writer.write(data)
      : this.#connected.then(() => this.#writer?.write(data));
    written.catch(error => this.#close(error));
    return true;
  }

  /** Closes the socket after a last write. */
  end(data: Uint8Array): void {
    this.write(data);
    this.destroy();
  }

  destroy(): void {
    this.#close();
    this.#raw?.close().catch(() => {});
  }

  async #connect({ host, port, tls }: Address): Promise<void> {
    const { connect } = await import('cloudflare:sockets');
    const options = { secureTransport: tls === 'disable' ? 'off' : 'starttls', allowHalfOpen: false };
    this.#use(connect({ hostname: host.includes(':') ? `[${host}]` : host, port }, options));
    if (this.#raw && tls !== 'disable') {
      this.#use(await secure(this.#raw, tls));
    }
    this.#writer = this.#raw?.writable.getWriter();
  }

  #use(raw: Raw): void {
    this.#raw = raw;
    // The read loop reports the end and its reason.
    raw.closed.catch(() => {});
    if (this.readyState === 'closed') {
      this.destroy();
    }
  }

  async #readAll(): Promise<void> {
    await this.#connected;
    const reader = this.#raw?.readable.getReader({ mode: 'byob' });
    let buffer = new Uint8Array(readBytes);
    for (;;) {
      const chunk = await reader?.read(buffer);
      if (!chunk?.value || chunk.done) {
        return;
      }
      this.#inHandshake = false;
      // A copy: the driver keeps what it has not read, and the next read fills the same bytes.
      this.emit('data', Buffer.from(chunk.value));
      buffer = new Uint8Array(chunk.value.buffer);
    }
  }

  #close(error?: Error): void {
    if (this.readyState === 'closed') {
      return;
    }
    this.readyState = 'closed';
    if (error && this.listenerCount('error') > 0) {
      const named = this.#inHandshake && isOfHandshake(error) ? new Error(handshakeFailed) : error;
      // Errors of workerd's streams have no codes. Any error without a code means that the connection is lost.
      this.emit('error', 'code' in named ? named : lose(named));
    }
    this.emit('close', error !== undefined);
  }
}

const lose = (error: Error): Error => Object.assign(error, { isLost: true });

/**
 * Whether the TLS handshake failed. workerd trusts only public authorities: `startTls` accepts no others, and node:tls
 * ignores `ca` (1.20261117). The first text is Cloudflare's, the second that of workerd elsewhere. In workerd it is the same
 * for a certificate that is refused and for a link that breaks.
 */
const isOfHandshake = ({ message }: Error): boolean => /^TLS handshake|^internal error/i.test(message);

const handshakeFailed =
  'TLS_FAILED: the certificate is not from a public authority (Hyperdrive supports a private CA) or is for another host, or the connection broke';

/** SSLRequest and its replies: see "SSL Session Encryption" in Postgres's documentation. */
const request = new Uint8Array([0, 0, 0, 8, 4, 210, 22, 47]);
const [yes, no] = ['S', 'N'].map(letter => letter.charCodeAt(0));

/** Starts TLS. `prefer` continues without it if the server lacks it. */
async function secure(raw: Raw, tls: Tls): Promise<Raw> {
  const writer = raw.writable.getWriter();
  const reader: ReadableStreamDefaultReader<Uint8Array> = raw.readable.getReader();
  await writer.write(request);
  const reply = (await reader.read()).value?.[0];
  writer.releaseLock();
  reader.releaseLock();
  if (reply === yes) {
    return raw.startTls();
  }
  if (reply === no && tls === 'prefer') {
    return raw;
  }
  throw Object.assign(new Error('The server does not speak TLS'), {
    code: reply === no ? 'NO_TLS' : 'CONNECTION_CLOSED',
  });
}
