/** The messages of the protocol that a channel's client is sent, but for changes. */
import type { Failure } from '../failure/failure.ts';
import { renderFailure } from '../failure/render.ts';
import type { Channel } from './channel.ts';
import type { Frame } from './frames.ts';
import type { LiveSocket } from './socket.ts';

type To = Pick<Channel, 'socket' | 'topic' | 'joinRef'>;

export function replyOk(frame: Frame, socket: LiveSocket, response: object): void {
  socket.send(replyTo(frame), JSON.stringify({ status: 'ok', response }));
}

export function replyError(frame: Frame, socket: LiveSocket, reason: string): void {
  socket.send(replyTo(frame), JSON.stringify({ status: 'error', response: { reason } }));
}

/** Refuses a join. Old clients, which speak 1.0.0, join again only after a `phx_error`. */
export function refuseJoin(frame: Frame, socket: LiveSocket, failure: Failure): void {
  replyError(frame, socket, wordsOf(failure));
  if (socket.state.version === '1.0.0') {
    socket.send({ ...replyTo(frame), ref: frame.ref, event: 'phx_error' }, '{}');
  }
}

/** Says something about live updates to the callbacks of `.on('system', …)`. */
export function sendSystem({ socket, topic, joinRef }: To, status: 'ok' | 'error', message: string): void {
  const channel = topic.replace(/^realtime:/, '');
  const payload = { extension: 'postgres_changes', status, message, channel };
  socket.send({ joinRef, ref: null, topic, event: 'system' }, JSON.stringify(payload));
}

/** Tells a client that its channel failed; it joins it again. */
export const sendError = (to: To): void => sendEnd(to, 'phx_error');

/** Tells a client that its channel is closed, as it asked. A client that did not ask never joins it again. */
export const sendClose = (to: To): void => sendEnd(to, 'phx_close');

function sendEnd({ socket, topic, joinRef }: To, event: 'phx_error' | 'phx_close'): void {
  socket.send({ joinRef, ref: joinRef, topic, event }, '{}');
}

const replyTo = ({ joinRef, ref, topic }: Frame): Omit<Frame, 'payload'> => ({
  joinRef: joinRef ?? ref,
  ref,
  topic,
  event: 'phx_reply',
});

/** Describes a failure as Supabase writes its reasons: `PGRST302: The request has no …`. */
export function wordsOf(failure: Failure): string {
  const { code, message, details } = renderFailure(failure).body;
  return `${code}: ${message}${details === null ? '' : `. ${details}`}`;
}
