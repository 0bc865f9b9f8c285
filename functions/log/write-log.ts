import { env } from 'cloudflare:workers';
import type { Env } from '../common/env.ts';

/**
 * Writes a log entry as an object, whose fields Cloudflare indexes. On a developer's machine it is a line of JSON, since
 * workerd would print an object on several lines, which takes 35 µs, a tenth of a read.
 */
export function writeLog(entry: object): void {
  console.log((env as Env).LOCAL === '1' ? JSON.stringify(entry) : entry);
}
