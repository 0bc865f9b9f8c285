import { env } from 'cloudflare:workers';
import type { Env } from '../common/env.ts';

/**
 * Writes an entry of the log: as an object, whose fields Cloudflare indexes. On a developer's machine it is a line of JSON,
 * since workerd would print an object over several lines, which takes it 35 µs, a tenth of a read.
 */
export function writeLog(entry: object): void {
  console.log((env as Env).LOCAL === '1' ? JSON.stringify(entry) : entry);
}
