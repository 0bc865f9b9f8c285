/** Completes what `share_quote` returns, a link's id and end, with the address of its page: the database has no key. */
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok } from '../common/failure/result.ts';
import type { Completion } from '../rest/endpoint.ts';
import { offerAddress } from './offer-link.ts';

export const shareQuote: Completion = {
  prepare: ({ OFFER_LINKS }) =>
    OFFER_LINKS === 'off'
      ? fail<Failure>({ is: 'function turned off', name: 'share_quote', variable: 'OFFER_LINKS' })
      : ok(undefined),
  async complete({ id, ends_at }, { request, env }) {
    const { url, token } = await offerAddress(env, new URL(request.url).origin, String(id));
    return { id, url, token, ends_at };
  },
};
