/** The database of an owner's connection string, as Hyperdrive reaches it. */
import { parseUrl } from '../../delivery/web-address.ts';
import { Problem } from '../../local/program.ts';

/** The parts of an owner's connection string that matter here. */
export interface Origin {
  url: URL;
  /** The login service of a database of Supabase, `https://<project>.supabase.co/auth/v1`. */
  login: string | undefined;
}

/** Returns the direct connection of an owner's connection string, since Hyperdrive pools by itself; undefined without one. */
export function readOrigin(text = ''): Origin | undefined {
  if (text === '') {
    return undefined;
  }
  const url = parseUrl(text);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new Problem(
      'DATABASE_URL is not a Postgres URL: postgres://<owner>:<password>@<host>:5432/<database>.',
    );
  }
  const pooled = /^postgres\.(\w+)$/.exec(decodeURIComponent(url.username))?.[1];
  if (pooled && url.hostname.endsWith('.pooler.supabase.com')) {
    url.hostname = `db.${pooled}.supabase.co`;
  }
  url.hostname = url.hostname.replace(/^(ep-[\w-]+)-pooler\./, '$1.');
  url.search = '';
  const project = /^db\.(\w+)\.supabase\.co$/.exec(url.hostname)?.[1];
  if (project) {
    // At 6543 there is a pooler.
    url.port = '5432';
  }
  return { url, login: project && `https://${project}.supabase.co/auth/v1` };
}

/** Returns where an origin is, without its user: `host:port/database`. */
export const placeOfUrl = ({ hostname, port, pathname }: URL): string =>
  placeOf({ host: hostname, port: Number(port || 5432), database: decodeURIComponent(pathname.slice(1)) });

/** As placeOfUrl(), of what Cloudflare shows. A database that is reached by a tunnel has no port. */
export const placeOf = ({
  host = '',
  port,
  database = '',
}: {
  host?: string;
  port?: number;
  database?: string;
}): string => `${host.toLowerCase().replace(/^\[|\]$/g, '')}${port ? `:${port}` : ''}/${database}`;
