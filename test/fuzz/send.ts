/** Sends requests unchanged: nothing is normalised, and only Host and Content-Length are added. */
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';

export interface RawRequest {
  method?: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string;
}

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const usual = {
  connections: 32,
  /** Milliseconds: a request that takes this long hangs, also on a busy machine. */
  timeout: 60_000,
  /** How much of a body is kept, in bytes. */
  kept: Number.POSITIVE_INFINITY,
};

export class Wire {
  readonly #agent: Agent;
  readonly #port: string;
  readonly #options: typeof usual;

  constructor(url: string, options: Partial<typeof usual> = {}) {
    this.#options = { ...usual, ...options };
    this.#agent = new Agent({ keepAlive: true, maxSockets: this.#options.connections });
    this.#port = new URL(url).port;
  }

  /** Rejects when there is no response in time, or a malformed one. */
  async send(request: RawRequest): Promise<RawResponse> {
    return (
      (await this.#try(request)) ??
      (await this.#try(request)) ??
      Promise.reject(new Error('hung up on, twice'))
    );
  }

  /** Undefined when a reused connection was closed at the moment the request was sent. */
  async #try({ method = 'GET', path, headers, body }: RawRequest): Promise<RawResponse | undefined> {
    const outgoing = send({
      agent: this.#agent,
      host: '127.0.0.1',
      port: this.#port,
      method,
      path,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      signal: AbortSignal.timeout(this.#options.timeout),
    });
    const responded = once(outgoing, 'response').catch(error => {
      if (!outgoing.reusedSocket || error.code !== 'ECONNRESET') {
        throw error;
      }
    });
    outgoing.on('error', () => {}).end(body);
    const [incoming] = (await responded) ?? [];
    if (incoming === undefined) {
      return undefined;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of incoming) {
      if (bytes < this.#options.kept) {
        chunks.push(chunk);
        bytes += chunk.length;
      }
    }
    const entries = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const text = Buffer.concat(chunks).toString();
    return { status: incoming.statusCode ?? 0, headers: Object.fromEntries(entries), text };
  }

  close(): void {
    this.#agent.destroy();
  }
}
