import { limits } from '../common/limits.ts';

/** The id of a request: its own when it is well-formed, so that a client can find its request again. */
export function requestIdOf({ headers }: Request): string {
  const given = headers.get('x-request-id');
  return given !== null && /^[\w.-]+$/.test(given) && given.length <= limits.request.requestId
    ? given
    : crypto.randomUUID();
}
