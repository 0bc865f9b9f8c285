/** `/unsubscribe/<token>`: stops an account's e-mail. It needs no sign-in: the token is only in that account's mails. */
import { admitAddress } from '../caller/admit.ts';
import { ok, type Result } from '../common/failure/result.ts';
import type { Call, Endpoint } from '../rest/endpoint.ts';
import type { ResponseData } from '../rest/response/response-data.ts';
import { unsubscribeAccount } from './delivery-stub.ts';
import { respondToUnsubscribe, unsubscribePath } from './unsubscribe.ts';

export const unsubscribe: Endpoint = {
  // Instead of the path, which contains the token.
  name: 'unsubscribe',
  methods: 'OPTIONS,GET,HEAD,POST',
  admit: admitAddress('unsubscribe'),
  respond,
};

async function respond({ request, env }: Call): Promise<Result<ResponseData>> {
  const token = new URL(request.url).pathname.slice(unsubscribePath.length);
  return ok(
    await respondToUnsubscribe(request, token, env.SECRET_KEY, account => unsubscribeAccount(env, account)),
  );
}
