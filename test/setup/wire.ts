/** The callers of a test, and their requests. */
import { randomUUID } from 'node:crypto';
import type { TokenHolder } from '../../functions/local/access-token.ts';
import type { Service } from './service.ts';

export interface Caller {
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, if there is one. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails without them
  body: any;
}

/** A caller with a key and, signed in, a token. With null it sends the key in `apikey` alone. */
export function callerOf(service: Pick<Service, 'fetch'>, key: string, token: string | null = key): Caller {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await service.fetch(`/rest/v1${path}`, {
      method,
      headers: {
        apikey: key,
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /^[^;]*json/.test(response.headers.get('content-type') ?? '') && text !== '';
    const { status, headers: received } = response;
    return { status, headers: received, text, body: isJson ? JSON.parse(text) : undefined };
  };
  return { send, get: (path, headers) => send('GET', path, undefined, headers) };
}

/** A caller who is signed in with a new token. */
export const signIn = async (
  service: Pick<Service, 'fetch' | 'publishableKey' | 'token'>,
  holder: TokenHolder,
): Promise<Caller> => callerOf(service, service.publishableKey, await service.token(holder));

/** A caller of each kind, to whom a service that has not started yet gives keys and tokens when they first ask. */
export function useCallers(service: Service, account: string = randomUUID()) {
  const lazy = (sign: () => Promise<Caller>): Caller => {
    let signed: Promise<Caller> | undefined;
    const caller = () => {
      signed ??= sign();
      return signed;
    };
    return {
      get: async (...request) => (await caller()).get(...request),
      send: async (...request) => (await caller()).send(...request),
    };
  };
  return {
    anon: lazy(async () => callerOf(service, service.publishableKey)),
    /** The customer of this account. */
    customer: lazy(() => signIn(service, { account })),
    /** With the secret key. */
    staff: lazy(async () => callerOf(service, service.secretKey)),
  };
}

/** How long a browser may cache the response; no number when it may not. */
export const secondsLeft = ({ headers }: Pick<Reply, 'headers'>): number =>
  Number(/^private, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1]);

export const representation = { prefer: 'return=representation' };
