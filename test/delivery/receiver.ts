/** A process that receives webhooks, and behaves as their paths say. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { behaviours, poured } from './behaviours.ts';
import { answerQuestions } from './other-process.ts';
import type { ReceivedCall } from './receivers.ts';

const calls: ReceivedCall[] = [];

const server = createServer(async (request, response) => {
  const { url: path = '', headers, method = '', socket } = request;
  socket.on('error', () => {});
  calls.push({ path, headers, method, body: await text(request) });
  behaviours[path.split('?')[0] ?? '']?.(response, socket, request);
}).listen(0, '127.0.0.1');
const listening = once(server, 'listening');

answerQuestions<'port' | 'calls' | 'poured'>(async question => {
  await listening;
  return { port: (server.address() as AddressInfo).port, calls, poured }[question];
});
