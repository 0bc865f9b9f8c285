/** A page that runs the example of the README as it is printed, behind a link. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import WebSocket from 'ws';
import type { Link } from '../faults/link.ts';
import { blocksOf } from '../setup/readmes.ts';
import type { Service } from '../setup/service.ts';

export type Rows = Map<number, { body: string }>;

export type Example = (supabase: SupabaseClient) => Promise<Rows>;

/** Writes the blocks of the README into a module, and loads it. */
export async function loadExample(directory: string): Promise<Example> {
  const file = join(directory, 'example.ts');
  const blocks = blocksOf('ts', 'functions/live/README.md').map(({ text }) => text);
  await writeFile(file, `export async function run(supabase) {\n${blocks.join('')}return rows;\n}\n`);
  return (await import(file)).run;
}

export class ExamplePage {
  /** The joins that were accepted, the changes that were told, and the reads that the service has answered. */
  joined = 0;
  told = 0;
  answered = 0;
  /** That a join was refused, or that changes were missed. */
  readonly errors: string[] = [];
  /** What a read goes through before and after the service has answered it. */
  beforeRead = async (_headers: Headers): Promise<void> => {};
  afterRead = async (): Promise<void> => {};
  readonly #service: Service;
  readonly #link: Link;
  #client: SupabaseClient | undefined;

  constructor(service: Service, link: Link) {
    this.#service = service;
    this.#link = link;
  }

  /** Runs the example as soon as its client is made, whose token takes a moment. */
  run(example: Example, token: string): Promise<Rows> {
    this.#client = createClient(`http://127.0.0.1:${this.#link.port}`, this.#service.publishableKey, {
      accessToken: () => sleep(50, token),
      realtime: {
        transport: this.#transport() as never,
        heartbeatIntervalMs: 1000,
        reconnectAfterMs: () => 200,
      },
      global: { fetch: (input, init) => this.#read(input, init) },
    });
    return example(this.#client);
  }

  async close(): Promise<void> {
    await this.#client?.removeAllChannels();
  }

  /** Reads whose answers are held back until they are released, in the order in which they were answered. */
  holdReads(): (() => void)[] {
    const held: (() => void)[] = [];
    this.afterRead = () => new Promise(resolve => held.push(resolve));
    return held;
  }

  #transport() {
    const received = (text: string): void => {
      this.joined += text.includes('"response":{"postgres_changes"') ? 1 : 0;
      this.told += text.includes('"postgres_changes",{"ids"') ? 1 : 0;
      this.errors.push(...(/"status":"error".*/.exec(text) ?? []));
    };
    return class extends WebSocket {
      constructor(url: string | URL) {
        super(url);
        this.on('message', data => received(String(data)));
      }
    };
  }

  /** Past the link, which is for the socket alone. */
  async #read(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const headers = new Headers(init?.headers);
    await this.beforeRead(headers);
    const { pathname, search } = new URL(String(input));
    const response = await this.#service.fetch(pathname + search, { ...init, headers });
    const body = await response.text();
    this.answered += 1;
    await this.afterRead();
    return new Response(body, response);
  }
}
