/** The log in the terminal: workerd prints an object over several lines, and here it has one. */
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
 * Forwards what workerd prints, and resolves when it has printed its last. The log takes CPU from the requests: so it is
 * searched by the chunk and not parsed by the line, and read every 10 ms, since being woken for each line costs twice as much.
 */
export async function forwardLog(from: Readable, to: Writable): Promise<void> {
  let unfinished = '';
  from.setEncoding('utf8');
  from.on('data', (chunk: string) => {
    const text = unfinished + chunk;
    const end = endOfEntries(text);
    unfinished = text.slice(end);
    to.write(onOneLine(text.slice(0, end)));
    from.pause();
    setTimeout(() => from.resume(), interval);
  });
  await finished(from, { writable: false }).catch(() => {});
  to.write(onOneLine(unfinished));
}

/** The end of the last whole entry: a line, or an object from `{` to `}` at the beginnings of lines. */
function endOfEntries(text: string): number {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1);
  const start = `\n${lines}`.lastIndexOf('\n{\n');
  return start > lines.lastIndexOf('\n}\n') ? start : lines.length;
}

const onOneLine = (entries: string): string => entries.replace(/\n +/g, ' ').replace(/\n\}/g, ' }');
