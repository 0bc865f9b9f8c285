/**
 * The configuration of workerd for a deployment. Miniflare generates it, but has no method that returns it, and starts one
 * workerd with a port of its own. So it starts a program that prints what workerd would have got.
 */
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import type { Miniflare } from 'miniflare';
import { adaptConfig } from '../adapt-config.mjs';
import { root } from '../settings.ts';
import { type Deployment, miniflareOptions, startWorker } from '../worker.ts';

/** What workerd is started with. */
export interface Launch {
  args: string[];
  /** Has secrets in it, so it is never written to a file. */
  config: Uint8Array;
}

export class ConfigGenerator {
  #miniflare: Miniflare | undefined;
  #printed: Promise<[config: Buffer, args: string]> | undefined;

  constructor() {
    process.env['MINIFLARE_WORKERD_PATH'] = join(root, 'functions/local/workers/print-config.sh');
  }

  /** Throws a Problem when miniflare refuses the deployment. */
  async generate(deployment: Omit<Deployment, 'onLog' | 'onOutput'>): Promise<Launch> {
    const onOutput = (stdout: Readable, stderr: Readable) => {
      this.#printed = Promise.all([buffer(stdout), text(stderr)]);
    };
    if (this.#miniflare === undefined) {
      this.#miniflare = await startWorker({ ...deployment, onOutput });
    } else {
      await this.#miniflare.setOptions(miniflareOptions({ ...deployment, onOutput }));
    }
    const [config, args] = (await this.#printed) ?? [Buffer.alloc(0), ''];
    return { args: args.trimEnd().split('\n'), config: adaptConfig(new Uint8Array(config).buffer) };
  }

  /** Miniflare's loopback server and temporary files are in use until here. */
  async dispose(): Promise<void> {
    await this.#miniflare?.dispose();
  }
}
