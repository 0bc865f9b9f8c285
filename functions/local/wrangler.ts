import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The path of wrangler's program, to run with Node. */
export const wrangler = join(createRequire(import.meta.url).resolve('wrangler'), '../../bin/wrangler.js');
