/** What the developer's programs print, when nobody reads it to its end. */

/** Ends the program quietly when the reader of its output closes the pipe, as `head` does, and with a sentence on a full disk. */
export function endWithReader(end: (code: number) => unknown = process.exit): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') {
      end(0);
      return;
    }
    console.error(`The output cannot be written: ${message}.`);
    end(1);
  });
}
