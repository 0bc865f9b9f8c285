/** Returns when a verified token expires, in seconds since 1970; undefined of a key that is none. */
export function expiryOf(token: string): number | undefined {
  const [, payload = ''] = token.split('.');
  try {
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).exp;
  } catch {
    return undefined;
  }
}
