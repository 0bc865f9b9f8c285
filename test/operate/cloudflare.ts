/** A stand-in of the part of Cloudflare's API that wrangler's `deploy` calls, over HTTP on loopback. It keeps what it gets. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loopback } from '../../functions/local/port.ts';

interface Script {
  /** The version that serves. */
  version?: string;
  migrationTag?: string | undefined;
  secrets: Record<string, string>;
  /** What it is bound to, by name, without its secrets. */
  bindings?: Record<string, object>;
  observability?: object | undefined;
  /** Bodies of the requests that set them. */
  routes?: unknown;
  domains?: unknown;
  schedules?: unknown;
}

interface Hyperdrive {
  name: string;
  origin: Record<string, unknown>;
  caching?: { disabled?: boolean };
  origin_connection_limit?: number;
}

interface Metadata {
  bindings: ({ type: string; name: string; text?: string } & Record<string, unknown>)[];
  migrations?: { new_tag: string };
  observability?: object;
}

type Reply = { result: unknown } | { code: number; message: string };

const noWorker: Reply = { code: 10_007, message: 'This Worker does not exist on your account.' };
const notSet: Reply = { code: 10_057, message: 'inherit binding is invalid' };

export type Cloudflare = Awaited<ReturnType<typeof startCloudflare>>;

export async function startCloudflare() {
  /** Hyperdrive configurations by their ids, as they were made. */
  const hyperdrives: Record<string, Hyperdrive> = {};
  const scripts = new Map<string, Script>();
  const requests: string[] = [];
  let hanging: RegExp | undefined;
  const scriptOf = (name: string): Script => {
    const script = scripts.get(name) ?? { secrets: {} };
    scripts.set(name, script);
    return script;
  };

  /** Stores an uploaded version's bindings, and returns its id; undefined if it inherits a secret that is not set. */
  async function upload(name: string, request: IncomingMessage): Promise<string | undefined> {
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const form = await new Response(await readAll(request), { headers }).formData();
    const { bindings, migrations, observability } = JSON.parse(String(form.get('metadata'))) as Metadata;
    const set = scripts.get(name)?.secrets ?? {};
    if (bindings.some(({ type, name: secret }) => type === 'inherit' && !Object.hasOwn(set, secret))) {
      return undefined;
    }
    const script = scriptOf(name);
    script.bindings = {};
    script.observability = observability;
    for (const { type, name: binding, ...value } of bindings) {
      if (type === 'secret_text') {
        script.secrets[binding] = value.text ?? '';
      } else if (type !== 'inherit') {
        script.bindings[binding] = value;
      }
    }
    script.migrationTag = migrations?.new_tag ?? script.migrationTag;
    return randomUUID();
  }

  async function replyToScript(request: IncomingMessage, name: string, what = ''): Promise<Reply> {
    const script = scripts.get(name);
    const get = request.method === 'GET';
    switch (what) {
      case '': {
        const id = await upload(name, request);
        if (id === undefined) {
          return notSet;
        }
        scriptOf(name).version = id;
        return { result: { id: name, deployment_id: id.replaceAll('-', ''), startup_time_ms: 1 } };
      }
      case 'versions': {
        const id = await upload(name, request);
        return id === undefined
          ? notSet
          : { result: { id, startup_time_ms: 1, resources: { script: {} }, metadata: {} } };
      }
      case 'deployments':
        if (get) {
          const version = { created_on: '2026-01-01T00:00:00Z', versions: [{ version_id: script?.version }] };
          return script?.version ? { result: { deployments: [version] } } : noWorker;
        }
        scriptOf(name).version = (await readJson(request)).versions[0].version_id;
        return { result: {} };
      case 'assets-upload-session':
        return { result: { jwt: 'jwt', buckets: [] } };
      case 'routes':
        scriptOf(name).routes = await readJson(request);
        return { result: [] };
      case 'domains/records':
        scriptOf(name).domains = await readJson(request);
        return { result: [] };
      case 'secrets':
        return script?.version
          ? { result: Object.keys(script.secrets).map(secret => ({ name: secret, type: 'secret_text' })) }
          : noWorker;
      case 'schedules':
        scriptOf(name).schedules = await readJson(request);
        return { result: {} };
      default:
        return { result: { enabled: false, previews_enabled: false } };
    }
  }

  /** Lists the configurations, returns one, or makes one. Their passwords are never shown. */
  async function replyOfHyperdrive(request: IncomingMessage, id: string | undefined): Promise<Reply> {
    if (request.method === 'POST') {
      const made = randomUUID().replaceAll('-', '');
      hyperdrives[made] = await readJson(request);
      return { result: { id: made, ...hyperdrives[made] } };
    }
    if (id === undefined) {
      return { result: Object.entries(hyperdrives).map(([id, found]) => ({ id, ...found })) };
    }
    const found = hyperdrives[id];
    return found ? { result: { id, ...found } } : { code: 2001, message: 'hyperdrive config not found' };
  }

  function replyOf(request: IncomingMessage, path: string): Reply | Promise<Reply> {
    const [, script, what] = /\/workers\/scripts\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
    if (script) {
      return replyToScript(request, script, what);
    }
    const [, service] = /\/workers\/services\/([^/]+)$/.exec(path) ?? [];
    if (service) {
      const found = scripts.get(service)?.version;
      return found ? { result: { default_environment: { script: { tag: 'tag', tags: [] } } } } : noWorker;
    }
    if (path.endsWith('/workers/scripts')) {
      return { result: [...scripts].map(([id, { migrationTag }]) => ({ id, migration_tag: migrationTag })) };
    }
    if (path.includes('/hyperdrive/configs')) {
      return replyOfHyperdrive(request, /configs\/(.+)$/.exec(path)?.[1]);
    }
    return { result: path === '/zones' ? [{ id: 'zone' }] : [] };
  }

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://host');
    const line = `${request.method} ${pathname}`;
    requests.push(line);
    if (hanging?.test(line)) {
      return;
    }
    const reply = await replyOf(request, pathname);
    request.resume();
    const errors = 'code' in reply ? [reply] : [];
    const status = errors.length === 0 ? 200 : reply === noWorker ? 404 : 400;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ success: errors.length === 0, errors, messages: [], result: null, ...reply }),
    );
  }).listen(0, loopback);
  await once(server, 'listening');
  return {
    url: `http://${loopback}:${(server.address() as AddressInfo).port}`,
    scripts,
    hyperdrives,
    /** Method and path of each request. */
    requests,
    /** From now on, requests whose method and path match get no reply. */
    hangAt(pattern: RegExp | undefined): void {
      hanging = pattern;
    },
    stop(): Promise<void> {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Uint8Array);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

// biome-ignore lint/suspicious/noExplicitAny: wrangler's own forms
const readJson = async (request: IncomingMessage): Promise<any> =>
  JSON.parse(Buffer.from(await readAll(request)).toString());
