/** supabase-js clients for every kind of caller, as an application creates them, and checks of their results. */
import { randomUUID } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { expect } from 'vitest';
import WebSocket from 'ws';
import type { Service } from '../setup/service.ts';

/** Tables of any shape. The PostgREST version enables maxAffected. */
// biome-ignore lint/suspicious/noExplicitAny: what an untyped application has
export type Client = SupabaseClient<any, { PostgrestVersion: '14' }>;

/** A client with a key and, signed in, a token. Node 20 has no WebSocket, which createClient insists on. */
export const clientOf = (service: Service, key: string, token?: string): Client =>
  createClient(service.url, key, {
    realtime: { transport: WebSocket as never },
    ...(token === undefined
      ? { auth: { persistSession: false, autoRefreshToken: false } }
      : { accessToken: async () => token }),
  });

export type Clients = Awaited<ReturnType<typeof clientsOf>>;

/** A client for each of the four callers; `account` is the customer's. */
export async function clientsOf(service: Service, account: string) {
  const { publishableKey, secretKey } = service;
  const staff = await service.token({ account: randomUUID(), staff: true });
  return {
    anonymous: clientOf(service, publishableKey),
    customer: clientOf(service, publishableKey, await service.token({ account })),
    staff: clientOf(service, publishableKey, staff),
    secret: clientOf(service, secretKey),
  };
}

export interface Result {
  data: unknown;
  error: { code?: string } | null;
  status: number;
  count: number | null;
}

/** Expects a result with this data and status, and no error. */
export function expectData({ data, error, status }: Result, expected: unknown, expectedStatus = 200): void {
  expect({ error, status, data }).toEqual({ error: null, status: expectedStatus, data: expected });
}

/** Expects a result without data whose error has all four fields, and possibly issues of the body. */
export function expectError(result: Result, status: number, code: string, message: string | RegExp): void {
  expect(result).toMatchObject({ status, error: { code }, data: null, count: null });
  expectErrorFields(result.error, message);
}

export function expectErrorFields(error: unknown, message: string | RegExp): void {
  const textOrNull = expect.toSatisfy(value => value === null || (typeof value === 'string' && value !== ''));
  const { issues = [], ...fields } = error as { issues?: unknown };
  expect(issues).toBeInstanceOf(Array);
  expect(fields).toEqual({
    code: expect.any(String),
    message: expect.stringMatching(message),
    details: textOrNull,
    hint: textOrNull,
  });
}
