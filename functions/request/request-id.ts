import { limits } from '../common/limits.ts';

/** Returns the id of a request: the client's own when it is well-formed, so that it can find its request in the log. */
export function requestIdOf({ headers }: Request): string {
  const id = headers.get('x-request-id');
  return id !== null && /^[\w.-]+$/.test(id) && id.length <= limits.request.requestId
    ? id
    : crypto.randomUUID();
}
