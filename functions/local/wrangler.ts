import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

// Its log would go into the home directory, which need not be writable.
process.env['WRANGLER_LOG_PATH'] ??= join(tmpdir(), `wrangler-logs-${process.getuid?.() ?? 0}`);

/** The path of wrangler's program, to run with Node. */
export const wrangler = join(require.resolve('wrangler'), '../../bin/wrangler.js');

/** Loads wrangler as a library. For an `import`, tsx would rewrite all of its 12 MB, which takes as long as loading them. */
export const requireWrangler = (): typeof import('wrangler') => require('wrangler');
