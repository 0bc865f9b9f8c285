/** The callers of a test, their requests, and rows for them to write. */
import { randomUUID } from 'node:crypto';
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

/** A caller with a key and, signed in, a token. */
export function callerOf(service: Pick<Service, 'fetch'>, key: string, token = key): Caller {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await service.fetch(`/rest/v1${path}`, {
      method,
      headers: {
        apikey: key,
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
  return { send, get: (path, headers) => send('GET', path, undefined, headers) };
}

/** How long a browser may cache the response; no number when it may not. */
export const secondsLeft = ({ headers }: Pick<Reply, 'headers'>): number =>
  Number(/^private, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1]);

export const representation = { prefer: 'return=representation' };

/** A new row of each collection, with all required columns. */
export const aQuote = (account: string, more: object = {}) => ({
  account_id: account,
  quote_number: 'QT-2026-00001',
  product_id: randomUUID(),
  sport: 'baseball',
  customization: { team: 'Lions' },
  ...more,
});
export const aGraphic = (more: object = {}) => ({
  name: 'Lion',
  code: `LION-${randomUUID().slice(0, 8).toUpperCase()}`,
  file_url: 'https://cdn.test/library/lion.svg',
  file_format: 'svg',
  ...more,
});
export const aNotification = (account: string, more: object = {}) => ({
  account_id: account,
  body: 'Your quote is ready',
  dismissed: false,
  ...more,
});
