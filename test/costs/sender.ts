/** Sends requests, some at once, and keeps of a response only its outcome, the time that it took and the beginning of its body. */
import { type RawRequest, type RawResponse, Wire } from '../fuzz/send.ts';

export interface CostlyReply extends Omit<RawResponse, 'headers'> {
  request: RawRequest;
  milliseconds: number;
}

export class Sender {
  readonly #wire: Wire;

  constructor(url: string) {
    // No request may take longer than 17 s.
    this.#wire = new Wire(url, { connections: 64, timeout: 30_000, kept: 4000 });
  }

  /** Never rejects: where there is no response the status is 0, and the text is the reason. */
  async send(request: RawRequest): Promise<CostlyReply> {
    const started = performance.now();
    const { status, text } = await this.#wire
      .send(request)
      .catch(error => ({ status: 0, text: String(error) }));
    return { request, status, text, milliseconds: performance.now() - started };
  }

  /** Sends all requests, `atOnce` at a time, and returns the responses in their order. */
  async sendAll(requests: RawRequest[], atOnce: number): Promise<CostlyReply[]> {
    const replies: CostlyReply[] = [];
    let next = 0;
    const work = async () => {
      for (let index = next++; index < requests.length; index = next++) {
        replies[index] = await this.send(requests[index] as RawRequest);
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, requests.length) }, work));
    return replies;
  }

  close(): void {
    this.#wire.close();
  }
}
