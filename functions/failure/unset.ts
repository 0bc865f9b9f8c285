/** Variables that a worker's deployment has not set, as the cause of a failure. Only their names: there is no value. */
export interface Unset {
  /** In an element, those of which one is enough: `JWT_SECRET or JWKS_URL`. */
  variables: string[];
  /** Whether the worker runs on a developer's machine (`LOCAL=1`). */
  local: boolean;
}

/** Names the variables, for the log. */
export const nameUnset = ({ variables }: Unset): string => `not set: ${variables.join(', ')}`;

/** Tells the developer at this machine, in the response. */
export const adviseOnUnset = (unset: Unset): { details: string; hint: string } => ({
  details: `These variables are ${nameUnset(unset)}.`,
  hint: '`npm run setup:dev` sets them for `npx wrangler dev`, in .dev.vars.',
});
