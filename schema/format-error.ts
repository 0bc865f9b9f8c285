/** The message of a format that refuses a value: an SQLSTATE, and what was expected. */

/** SQLSTATEs with which Postgres reports the same errors. */
export type FormatError = '22003' | '22007' | '22008' | '22P02' | '23514';

export const expects = (sqlstate: FormatError, expected: string): string => `${sqlstate} ${expected}`;

/** Parses the message of a failed check. */
export function readFormatError(message: string): { sqlstate: FormatError; expected: string } {
  return { sqlstate: message.slice(0, 5) as FormatError, expected: message.slice(6) };
}
