/** The clients of the demo: a customer and a member of the staff, both signed in. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { createContext, useContext } from 'react';
import type { Database } from '../../schema/database.ts';

type Tables = Database['public']['Tables'];
export type Client = SupabaseClient<Database>;
export type Quote = Tables['quotes']['Row'];

export interface User {
  client: Client;
  /** The user's id, which is the account of a customer's quotes. */
  id: string;
}

export interface Session {
  customer: User;
  staff: User;
  /** Whether this machine keeps what was mailed, for the panel of developers. */
  showsDeliveries: boolean;
}

export const SessionContext = createContext<Session | null>(null);

/** Returns the session. Only components below the provider may call it. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) {
    throw new Error('useSession is called outside of SessionContext');
  }
  return session;
}

interface Answer {
  apikey: string;
  customer: string;
  staff: string;
  showsDeliveries: boolean;
}

/** Milliseconds before its end at which a token is replaced. */
const early = 60_000;

/** Signs both in. With a login service, its own client renews the token. Rejects when the service can't be reached. */
export async function signIn(): Promise<Session> {
  let answer = await readAnswer();
  const { apikey, customer, staff, ...others } = answer;
  async function accessToken(who: 'customer' | 'staff'): Promise<string> {
    if (claimsOf(answer[who]).exp * 1000 < Date.now() + early) {
      answer = await readAnswer().catch(() => answer);
    }
    return answer[who];
  }
  const userOf = (who: 'customer' | 'staff', token: string): User => ({
    client: createClient<Database>(location.origin, apikey, {
      accessToken: () => accessToken(who),
    }),
    id: claimsOf(token).sub,
  });
  return { customer: userOf('customer', customer), staff: userOf('staff', staff), ...others };
}

async function readAnswer(): Promise<Answer> {
  const response = await fetch('/demo/session.json');
  if (!response.ok) {
    throw new Error(`Signing in failed with ${response.status}`);
  }
  return await response.json();
}

/** Returns the user's id in a token, and when it ends, in seconds. The page only reads them: the service verifies them. */
function claimsOf(token: string): { sub: string; exp: number } {
  const claims = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return JSON.parse(atob(claims));
}
