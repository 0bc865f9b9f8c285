/** Sends raw requests, and keeps of a response only its outcome and the beginning of its body. */
import { Agent, request as send } from 'node:http';

export interface CostlyRequest {
  method?: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string;
}

export interface CostlyReply {
  /** The request, shortened for display, with its id. */
  asked: string;
  isHead: boolean;
  /** 0 when there was no response. */
  status: number;
  /** The code of an error. */
  code: string;
  /** The beginning of the body. */
  text: string;
  bytes: number;
  milliseconds: number;
}

/** Longer than any request may take (17 s). */
const responseTimeout = 30_000;
const kept = 4000;

export class Sender {
  readonly #agent: Agent;
  readonly #port: string;

  constructor(url: string, connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#port = new URL(url).port;
  }

  /** Never rejects. */
  async send(request: CostlyRequest): Promise<CostlyReply> {
    const started = performance.now();
    const { status, text, bytes } = await this.#exchange(request).catch(error => ({
      status: 0,
      text: String(error),
      bytes: 0,
    }));
    return {
      asked: show(request),
      isHead: request.method === 'HEAD',
      status,
      code: codeOf(text),
      text,
      bytes,
      milliseconds: performance.now() - started,
    };
  }

  /** Sends all requests, `atOnce` at a time, and returns the responses in their order. */
  async sendAll(requests: CostlyRequest[], atOnce: number): Promise<CostlyReply[]> {
    const replies: CostlyReply[] = [];
    let next = 0;
    const work = async () => {
      for (let index = next++; index < requests.length; index = next++) {
        replies[index] = await this.send(requests[index] as CostlyRequest);
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, requests.length) }, work));
    return replies;
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange({ method = 'GET', path, headers, body }: CostlyRequest) {
    return new Promise<Pick<CostlyReply, 'status' | 'text' | 'bytes'>>((resolve, reject) => {
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
          signal: AbortSignal.timeout(responseTimeout),
        },
        incoming => {
          let text = '';
          let bytes = 0;
          incoming.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (text.length < kept) {
              text += chunk.subarray(0, kept - text.length).toString();
            }
          });
          incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text, bytes }));
          incoming.on('error', reject);
        },
      );
      outgoing.on('error', error => {
        // Of a connection that was open from before, the other side may have ended it while this request was written.
        if (outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET') {
          resolve(this.#exchange({ method, path, headers, ...(body !== undefined && { body }) }));
        } else {
          reject(error);
        }
      });
      outgoing.end(body);
    });
  }
}

const show = ({ method = 'GET', path, headers }: CostlyRequest): string =>
  `${headers['x-request-id'] ?? ''} ${method} ${path.slice(0, 160)} ${headers['content-type'] ?? ''}`.trim();

const codeOf = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? '';
