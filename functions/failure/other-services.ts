/**
 * Supabase's services that this one doesn't have, by the first segment of their paths, `/auth/v1/…`. supabase-js shows the
 * message and leaves out the hint, so the message says what to do.
 */
const otherServices = {
  auth: {
    message:
      'supabase.auth is not part of this service: sign in elsewhere, and give createClient the accessToken',
    hint: "createClient(url, key, { accessToken: async () => token }), with the token of the login service's own client.",
  },
  storage: {
    message: 'supabase.storage is not part of this service: keep files elsewhere, and their URLs in columns',
    hint: 'file_url of graphics and preview_front_url of quotes are such columns.',
  },
  functions: {
    message: 'supabase.functions is not part of this service: its functions are called by supabase.rpc()',
    hint: "supabase.rpc('next_quote_number') and supabase.rpc('duplicate_quote', { id })",
  },
};

export type OtherService = keyof typeof otherServices;

export const describeOtherService = (service: OtherService): { message: string; hint: string } =>
  otherServices[service];

/** Returns the service that a path belongs to, if it is one of these. */
export function otherServiceOf(path: string): OtherService | undefined {
  const name = /^\/([a-z]+)\/v1(?:\/|$)/.exec(path)?.[1] ?? '';
  return Object.hasOwn(otherServices, name) ? (name as OtherService) : undefined;
}
