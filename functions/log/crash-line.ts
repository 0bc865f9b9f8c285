/**
 * What the log has of a bug: which kind of error, and where. Not what it says, since messages quote what was being
 * read: V8's of broken JSON has the JSON in it.
 */
export interface CrashLine {
  event: 'crash';
  message: string;
  /** The frames, the innermost first. */
  stack: string;
}

const frame = /^\s*at .*:\d+:\d+\)?$/;

export function crashLine({ name, message, stack = '' }: Error): CrashLine {
  const frames = stack.replace(message, '').split('\n');
  return { event: 'crash', message: name, stack: frames.filter(line => frame.test(line)).join('\n') };
}
