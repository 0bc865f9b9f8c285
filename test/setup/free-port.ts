/** Ports for servers of tests, which may start again on the same one. */
import { tryPort } from '../../functions/local/port.ts';

/**
 * Above 10080, the last port that fetch() refuses as that of another protocol. Below 32768, where Linux takes the ports of
 * outgoing connections: one of those might have the port when its server listens.
 */
const [first, count] = [11_000, 21_000];
// Another process begins elsewhere.
let next = (process.pid * 997) % count;

/** Returns a port that nobody listens on, each time another. */
export async function freePort(): Promise<number> {
  const port = first + (next++ % count);
  return (await tryPort(port)) ?? freePort();
}
