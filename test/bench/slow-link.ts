/** A TCP proxy on loopback that holds back everything it passes on. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { loopback } from '../../functions/local/port.ts';

export interface SlowLink {
  port: number;
  /** Milliseconds, half of them each way. */
  setRoundTrip(milliseconds: number): void;
  stop(): Promise<void>;
}

export async function startSlowLink(targetPort: number): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  let oneWay = 0;

  function pass(from: Socket, to: Socket): void {
    sockets.add(from.setNoDelay());
    from.on('data', chunk => {
      if (oneWay === 0) {
        to.write(chunk);
      } else {
        setTimeout(() => to.write(chunk), oneWay);
      }
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }

  const listener = createServer(client => {
    const server = connect(targetPort, loopback);
    pass(client, server);
    pass(server, client);
  }).listen(0, loopback);
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    setRoundTrip(milliseconds) {
      oneWay = milliseconds / 2;
    },
    async stop() {
      listener.close();
      for (const socket of sockets) {
        socket.destroy();
      }
      await once(listener, 'close');
    },
  };
}
