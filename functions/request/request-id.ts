/** The id of a request: the client's own when it is well-formed, so that the client can find its request in the log. */
export function requestIdOf({ headers }: Request): string {
  const id = headers.get('x-request-id');
  return id !== null && /^[\w.-]{1,128}$/.test(id) ? id : crypto.randomUUID();
}
