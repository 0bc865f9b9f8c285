import type { Result } from '../../functions/common/result.ts';
import { describeParseError, type ParseError } from '../../functions/failure/parse-error.ts';

/** Why a text was refused, in one line: `column 4: unexpected "E" expecting "("`. */
export function refusal(result: Result<unknown, ParseError>): string {
  if (result.ok) return `read as ${JSON.stringify(result.value)}`;
  return `column ${result.failure.column}: ${describeParseError(result.failure).details}`;
}
