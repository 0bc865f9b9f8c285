/** The log in the terminal: workerd prints an object over several lines, and here it has one. */
import type { Readable, Writable } from 'node:stream';

/**
 * Forwards what workerd prints, by the chunk: parsing each line of the log would take a sixth of the CPU that a request
 * takes.
 */
export function forwardLog(from: Readable, to: Writable): void {
  let unfinished = '';
  from.setEncoding('utf8');
  from.on('data', (chunk: string) => {
    const text = unfinished + chunk;
    const end = endOfEntries(text);
    unfinished = text.slice(end);
    to.write(onOneLine(text.slice(0, end)));
  });
  from.on('end', () => to.write(onOneLine(unfinished)));
}

/** The end of the last whole entry: a line, or an object from `{` to `}` at the beginnings of lines. */
function endOfEntries(text: string): number {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1);
  const start = `\n${lines}`.lastIndexOf('\n{\n');
  return start > lines.lastIndexOf('\n}\n') ? start : lines.length;
}

const onOneLine = (entries: string): string => entries.replace(/\n +/g, ' ').replace(/\n\}/g, ' }');
