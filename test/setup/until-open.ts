/** Waits for a program that was started until it accepts connections. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { loopback } from '../../functions/local/port.ts';

export async function untilOpen(port: number): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(10)) {
    const socket = connect(port, loopback);
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) {
      return;
    }
  }
  throw new Error(`Nothing accepts connections at port ${port}`);
}
