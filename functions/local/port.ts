/** Ports of this machine's loopback interface. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export const loopback = '127.0.0.1';

/** Returns the port if it is free (0: any free port), else undefined. Listens on it for a moment to find out. */
export async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer().listen(port, loopback);
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const free = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return free;
}
