/** The clients of the demo: a customer and a member of the staff, both signed in. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '../../../schema/database.ts';

type Tables = Database['public']['Tables'];
export type Client = SupabaseClient<Database>;
export type Quote = Tables['quotes']['Row'];
export type QuoteEvent = Tables['quote_events']['Row'];

export interface User {
  client: Client;
  /** The user's id, which is the account of a customer's quotes. */
  id: string;
}

export interface Session {
  customer: User;
  staff: User;
  /** The address to which files are uploaded, with a slash at the end. */
  files?: string;
  /** Whether this machine keeps what was mailed and called, for the panel of developers. */
  showsDeliveries: boolean;
}

interface Answer {
  apikey: string;
  customer: string;
  staff: string;
  files?: string;
  showsDeliveries: boolean;
}

/** Returns a `fetch` for a client, for example one that writes a log. */
export type FetchOf = (who: 'customer' | 'staff') => typeof fetch;

/** Signs both in. With a login service, its own client keeps the token. Rejects when the service can't be reached. */
export async function signIn(fetchOf: FetchOf): Promise<Session> {
  const response = await fetch('/demo/session.json');
  if (!response.ok) {
    throw new Error(`Signing in failed with ${response.status}`);
  }
  const { apikey, customer, staff, ...others } = (await response.json()) as Answer;
  const userOf = (who: 'customer' | 'staff', token: string): User => ({
    client: createClient<Database>(location.origin, apikey, {
      accessToken: async () => token,
      global: { fetch: fetchOf(who) },
    }),
    id: subjectOf(token),
  });
  return { customer: userOf('customer', customer), staff: userOf('staff', staff), ...others };
}

/** Returns the user's id in a token. The page only reads it: the service verifies it. */
function subjectOf(token: string): string {
  const claims = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return JSON.parse(atob(claims)).sub;
}
