import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Wrangler's program, for Node to run. */
export const wrangler = join(createRequire(import.meta.url).resolve('wrangler'), '../../bin/wrangler.js');
