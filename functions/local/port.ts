/** Ports of this machine's loopback interface. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export const loopback = '127.0.0.1';

/** Takes a port for a moment, to tell that it is free; 0 takes any. Answers its number, or undefined when in use. */
export async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer().listen(port, loopback);
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const taken = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return taken;
}
