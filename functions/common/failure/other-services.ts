/**
 * Supabase's services that are missing here, by the first segment of their paths, `/auth/v1/…`. supabase-js shows only the
 * message, so the message says what to do. A hint may list the functions that there are.
 */
const otherServices = {
  auth: {
    message:
      'supabase.auth is not part of this service: sign in elsewhere, and pass accessToken to createClient',
    hint: () =>
      "createClient(url, key, { accessToken: async () => token }), with the token of the login service's own client.",
  },
  storage: {
    message: 'supabase.storage is not part of this service: keep files elsewhere, and their URLs in columns',
    hint: () => 'GET /rest/v1/openapi.json describes the columns for URLs.',
  },
  functions: {
    message: 'supabase.functions is not part of this service: call its functions with supabase.rpc()',
    hint: (functions: readonly string[]) => `Known functions: ${functions.join(', ')}.`,
  },
};

export type OtherService = keyof typeof otherServices;

export const describeOtherService = (
  service: OtherService,
  functions: readonly string[],
): { message: string; hint: string } => {
  const { message, hint } = otherServices[service];
  return { message, hint: hint(functions) };
};

/** Returns the missing service that a path belongs to, if any. */
export function otherServiceOf(path: string): OtherService | undefined {
  const name = /^\/([a-z]+)\/v1(?:\/|$)/.exec(path)?.[1] ?? '';
  return Object.hasOwn(otherServices, name) ? (name as OtherService) : undefined;
}
