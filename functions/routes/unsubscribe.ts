/** `/unsubscribe/<token>`: stops an account's e-mail. It needs no sign-in: the token is only in that account's mails. */
import { admitAddress } from '../admission/admit.ts';
import { muteAccount } from '../delivery/delivery-object.ts';
import { respondToUnsubscribe, unsubscribePath } from '../delivery/unsubscribe.ts';
import type { Call, Endpoint } from '../endpoint/endpoint.ts';
import { ok, type Result } from '../failure/result.ts';
import type { ResponseData } from '../response/response-data.ts';

export const unsubscribe: Endpoint = {
  // Instead of the path, which contains the token.
  name: 'unsubscribe',
  methods: 'OPTIONS,GET,HEAD,POST',
  admit: admitAddress('unsubscribe'),
  respond,
};

async function respond({ request, env }: Call): Promise<Result<ResponseData>> {
  const token = new URL(request.url).pathname.slice(unsubscribePath.length);
  return ok(await respondToUnsubscribe(request, token, env.SECRET_KEY, account => muteAccount(env, account)));
}
