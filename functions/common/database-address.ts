interface DatabaseAddress {
  database?: string;
  host?: string;
  port?: number;
}

/**
 * Returns the driver options for the parts of a connection's URL that the driver (postgres.js 3.4.9) does not decode: the
 * name of the database, and a host that is an IPv6 address in brackets.
 */
export function databaseAddress(url: string): DatabaseAddress {
  const { pathname, hostname, port } = new URL(url);
  const database = decoded(pathname.slice(1));
  const [, ipv6] = /^\[(.+)\]$/.exec(hostname) ?? [];
  return {
    ...(database !== '' && { database }),
    // As lists, which the driver accepts without declaring it. It would split a text at its colons.
    ...(ipv6 !== undefined && { host: [ipv6], port: [Number(port || 5432)] }),
  } as object;
}

/** Whether a text is a URL of Postgres whose user and password the driver can decode. */
export function isPostgresUrl(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(username + password);
    return /^postgres(?:ql)?:$/.test(protocol);
  } catch {
    return false;
  }
}

export const notPostgresUrl =
  'DATABASE_URL is not a Postgres URL: postgres://user:password@host:port/database, with %25 for a % in the password.';

/** Decodes a text; returns it unchanged when it is not percent-encoded, since libpq accepts a bare `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
