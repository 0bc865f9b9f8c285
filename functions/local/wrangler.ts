import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** The path of wrangler's program, to run with Node. */
export const wrangler = join(require.resolve('wrangler'), '../../bin/wrangler.js');

/** Loads wrangler as a library. For an `import`, tsx would rewrite all of its 12 MB, which takes as long as loading them. */
export const requireWrangler = (): typeof import('wrangler') => require('wrangler');
