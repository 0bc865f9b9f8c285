/** The links by which an offer is opened without a sign-in: an id that is signed, in the query, which no log has. */
import type { Env } from '../common/env.ts';
import { signId, verifyId } from '../common/signed-id.ts';

export const offerPath = '/offer';

export const offerLinkPurpose = 'open an offer, version 1';

/** The token of a link, and the URL of its page. */
export interface OfferAddress {
  url: string;
  token: string;
}

/** Returns the address of a link. `origin`: the service's own, in a request to it, where SERVICE_URL is not set. */
export async function offerAddress(
  { SERVICE_URL, SECRET_KEY }: Pick<Env, 'SERVICE_URL' | 'SECRET_KEY'>,
  origin: string,
  linkId: string,
): Promise<OfferAddress> {
  const token = await signId(SECRET_KEY, offerLinkPurpose, linkId);
  return { url: `${(SERVICE_URL || origin).replace(/\/+$/, '')}${offerPath}?token=${token}`, token };
}

/** Returns the id of the link that a token opens, or undefined if we did not sign it. */
export const linkOf = ({ SECRET_KEY }: Pick<Env, 'SECRET_KEY'>, token: string): Promise<string | undefined> =>
  verifyId(SECRET_KEY, offerLinkPurpose, token);
