/**
 * The log line of a bug: the class of the error and its stack frames. Not its message, because messages quote data: V8's
 * for malformed JSON contains the JSON.
 */
export interface CrashLine {
  event: 'crash';
  message: string;
  /** The frames, innermost first. */
  stack: string;
}

const frame = /^\s*at .*:\d+:\d+\)?$/;

export function crashLine({ name, message, stack = '' }: Error): CrashLine {
  const frames = stack.replace(message, '').split('\n');
  return { event: 'crash', message: name, stack: frames.filter(line => frame.test(line)).join('\n') };
}
