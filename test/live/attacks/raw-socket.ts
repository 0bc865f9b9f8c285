/** Connections that speak WebSocket by hand (RFC 6455, RFC 7692), to send what no client would. */
import { connect, type Socket } from 'node:net';
import type { Target } from './target.ts';

/** The text of a request for a socket. */
export function upgradeText({ place }: Target, headers: Record<string, string> = {}): string {
  const lines = {
    host: 'localhost',
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
    ...headers,
  };
  return [
    `GET /realtime/v1/websocket?vsn=2.0.0&apikey=${place.publishableKey} HTTP/1.1`,
    ...Object.entries(lines).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');
}

/** A connection on which nothing is sent yet; what it receives is thrown away. */
export function connectTo(target: Target): Promise<Socket | undefined> {
  const { hostname, port } = new URL(target.place.url);
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => target.count('connection ended'));
    socket.resume();
  });
}

/** Resolves when the service has answered the request for a socket: counts its status. */
export async function openRaw(
  target: Target,
  headers: Record<string, string> = {},
): Promise<Socket | undefined> {
  const socket = await connectTo(target);
  if (!socket) {
    return undefined;
  }
  socket.write(upgradeText(target, headers));
  return new Promise(resolve => {
    socket.once('data', (data: Buffer) => {
      const [, status] = data.toString('latin1').split(' ');
      const isCompressed = /sec-websocket-extensions: permessage-deflate/i.test(data.toString('latin1'));
      target.count(`upgrade ${status}${isCompressed ? ', compressed' : ''}`);
      resolve(socket);
    });
    socket.once('close', () => resolve(undefined));
  });
}

interface FrameOptions {
  opcode?: number;
  fin?: boolean;
  isCompressed?: boolean;
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9 };

/** Masked with zeros, so that the payload stands in it as it is. */
export function frame(
  payload: Buffer,
  { opcode = opcodes.text, fin = true, isCompressed = false }: FrameOptions = {},
): Buffer {
  const first = (fin ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode;
  const header = Buffer.alloc(14);
  header[0] = first;
  header[1] = 0x80 | 127;
  header.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([header, payload]);
}
