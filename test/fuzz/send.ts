/** Sends a request unchanged: nothing is normalised, and only Host and Content-Length are added. */
import { Agent, request as send } from 'node:http';
import type { FuzzRequest } from './request.ts';

export interface FuzzResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Longer than any request may take: a request that takes this long hangs. */
export const responseTimeout = 9000;

export class Wire {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly #port: string;

  constructor(url: string) {
    this.#port = new URL(url).port;
  }

  /** Rejects when there is no response in time, or a malformed one. */
  async send(request: FuzzRequest): Promise<FuzzResponse> {
    return (
      (await this.#try(request)) ??
      (await this.#try(request)) ??
      Promise.reject(new Error('hung up on, twice'))
    );
  }

  /** Undefined when a reused connection was closed at the moment the request was sent. */
  #try({ method, path, headers, body }: FuzzRequest): Promise<FuzzResponse | undefined> {
    return new Promise((resolve, reject) => {
      const outgoing = send(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          headers: { ...headers, ...(body && { 'content-length': body.length }) },
          signal: AbortSignal.timeout(responseTimeout),
        },
        async incoming => {
          try {
            const chunks: Buffer[] = [];
            for await (const chunk of incoming) {
              chunks.push(chunk);
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
