/** A server in the place of Cloudflare's API: as much of it as `wrangler secret list` and `wrangler deploy` ask for. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CloudflareApi {
  /** The environment of a wrangler that asks this server, in place of Cloudflare. */
  env: Record<string, string>;
  /** The secrets of each worker by its name. A worker without an entry does not exist. */
  secrets: Map<string, string[]>;
  /** Whether it refuses the token. */
  refuses: boolean;
  /** The requests so far, as `GET /path`. */
  asked: string[];
  stop(): void;
}

/** What wrangler reads of the answers, by the end of the path. Other answers are empty. */
const answers: [path: RegExp, result: unknown][] = [
  [/\/services\/[^/]+$/, { default_environment: { environment: 'production', script: {} } }],
  [/\/deployments$/, { deployments: [{ id: 'deployed', versions: [] }] }],
  [/\/versions$/, { id: 'uploaded', startup_time_ms: 1, resources: { script: { etag: 'e' } } }],
  [/\/assets-upload-session$/, { jwt: 'none to upload', buckets: [] }],
  [/\/workers\/scripts$/, []],
  [/\/zones$/, [{ id: 'zone' }]],
  [/\/workers\/routes$/, []],
];

export async function startCloudflareApi(): Promise<CloudflareApi> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://api');
    api.asked.push(`${request.method} ${pathname}`);
    await request.resume().toArray();
    const [status, body] = answer(api, pathname);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const api: CloudflareApi = {
    env: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CLOUDFLARE_API_TOKEN: 'a-token',
      CLOUDFLARE_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
    },
    secrets: new Map(),
    refuses: false,
    asked: [],
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return api;
}

function answer({ refuses, secrets }: CloudflareApi, path: string): [status: number, body: object] {
  const worker = /\/scripts\/([^/]+)\/secrets$/.exec(path)?.[1];
  if (refuses) {
    return [403, failed(10000, 'Authentication error')];
  }
  if (worker === undefined) {
    return [200, succeeded(answers.find(([pattern]) => pattern.test(path))?.[1] ?? {})];
  }
  const names = secrets.get(worker);
  return names
    ? [200, succeeded(names.map(name => ({ name, type: 'secret_text' })))]
    : [404, failed(10007, 'This Worker does not exist on your account.')];
}

const succeeded = (result: unknown) => ({ success: true, errors: [], messages: [], result });
const failed = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  messages: [],
  result: null,
});
