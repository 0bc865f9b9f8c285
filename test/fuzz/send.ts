/** Sends requests unchanged: nothing is normalised, and only Host and Content-Length are added. */
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

export interface WireOptions {
  connections?: number;
  /** Milliseconds, longer than any request may take: a request that takes this long hangs. */
  timeout?: number;
  /** How much of a body is kept, in bytes. */
  kept?: number;
}

export class Wire {
  readonly #agent: Agent;
  readonly #port: string;
  readonly #timeout: number;
  readonly #kept: number;

  constructor(
    url: string,
    { connections = 32, timeout = 9000, kept = Number.POSITIVE_INFINITY }: WireOptions = {},
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#port = new URL(url).port;
    this.#timeout = timeout;
    this.#kept = kept;
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
  #try({ method = 'GET', path, headers, body }: RawRequest): Promise<RawResponse | undefined> {
    return new Promise((resolve, reject) => {
      const outgoing = send(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          headers: {
            ...headers,
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          },
          signal: AbortSignal.timeout(this.#timeout),
        },
        async incoming => {
          try {
            const chunks: Buffer[] = [];
            let bytes = 0;
            for await (const chunk of incoming) {
              if (bytes < this.#kept) {
                chunks.push(chunk);
                bytes += chunk.length;
              }
            }
            const entries = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
            resolve({
              status: incoming.statusCode ?? 0,
              headers: Object.fromEntries(entries),
              text: Buffer.concat(chunks).toString(),
            });
          } catch (error) {
            reject(error);
          }
        },
      );
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        outgoing.reusedSocket && error.code === 'ECONNRESET' ? resolve(undefined) : reject(error),
      );
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
