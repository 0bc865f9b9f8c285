/** The signed-in users, for every component below `SessionContext`. */
import { createContext, useContext } from 'react';
import type { Session } from './supabase.ts';

export const SessionContext = createContext<Session | null>(null);

/** Returns the session. Only components below the provider may call it. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) {
    throw new Error('useSession is called outside of SessionContext');
  }
  return session;
}
