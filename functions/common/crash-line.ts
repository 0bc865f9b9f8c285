/**
 * The log line of a bug: the error's class and stack frames. It omits the message, because messages may quote data: V8's
 * message for malformed JSON contains the JSON.
 */
interface CrashLine {
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
