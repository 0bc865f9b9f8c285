/** A process that receives webhooks: it says where, behaves as their paths say, and reports to its parent when it is asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { behaviours, poured } from './behaviours.ts';
import type { ReceivedCall } from './receivers.ts';

const calls: ReceivedCall[] = [];

const server = createServer(async (request, response) => {
  const { url: path = '', headers, method = '', socket } = request;
  socket.on('error', () => {});
  calls.push({ path, headers, method, body: await text(request) });
  behaviours[path.split('?')[0] ?? '']?.(response, socket, request);
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

process.on('message', () => process.send?.({ calls, poured }));
process.on('disconnect', () => process.exit());
