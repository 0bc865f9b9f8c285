/** The log in the terminal: what workerd prints. */
import { type Readable, setDefaultHighWaterMark, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** Milliseconds between two reads. workerd's socket holds 167 lines of the usual length, and workerd waits while it is full. */
const interval = 10;

/**
 * Makes a paused stream stop reading from its socket at once; by default it continues up to 16 KiB. For a process that
 * does little but forward a log, before it starts workerd: Node has no option for the streams of one child process.
 */
export const stopReadingWhenPaused = (): void => setDefaultHighWaterMark(false, 1);

/**
 * Forwards what workerd prints, and resolves when it has printed its last. It is read every 10 ms, since being woken for
 * each line takes CPU from the requests.
 */
export async function forwardLog(from: Readable, to: Writable): Promise<void> {
  from.on('data', (chunk: Buffer) => {
    to.write(chunk);
    from.pause();
    setTimeout(() => from.resume(), interval);
  });
  await finished(from, { writable: false }).catch(() => {});
}
