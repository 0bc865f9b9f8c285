interface DatabaseAddress {
  database?: string;
  host?: string;
  port?: number;
}

/**
 * Returns the parts of a connection's URL that the driver (postgres.js 3.4.9) does not decode: the name of the database, and
 * the host where it is an IPv6 address in brackets. They are options of the driver, beside the URL.
 */
export function databaseAddress(url: string): DatabaseAddress {
  const { pathname, hostname, port } = new URL(url);
  const database = decoded(pathname.slice(1));
  const [, ipv6] = /^\[(.+)\]$/.exec(hostname) ?? [];
  return {
    ...(database !== '' && { database }),
    // As lists, which the driver takes and does not declare: it splits a text at its colons.
    ...(ipv6 !== undefined && { host: [ipv6], port: [Number(port || 5432)] }),
  } as object;
}

/** Returns a text as it is where it is not percent-encoded, as libpq's users write a single `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
