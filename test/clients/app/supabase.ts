/** The client of the app, and who is signed in. */
import { createClient } from '@supabase/supabase-js';
import type { Database } from '../../../schema/database.ts';

export interface User {
  account: string;
  isStaff: boolean;
}

export const supabase = createClient<Database>(import.meta.env.VITE_SERVICE, import.meta.env.VITE_KEY, {
  accessToken: async () => sessionStorage.getItem('token'),
});

/** Keeps the token until the tab is closed. With a login service, its own client does. */
export const signIn = (token: string): void => sessionStorage.setItem('token', token);

/** Returns whom the token is of, to choose what is shown: it is the service that checks it. */
export function readUser(): User | undefined {
  const claims = sessionStorage.getItem('token')?.split('.')[1];
  if (claims === undefined) {
    return undefined;
  }
  const { sub, app_metadata } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
  return { account: sub, isStaff: ['admin', 'sales'].includes(app_metadata?.role) };
}
