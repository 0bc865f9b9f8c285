/** `/unsubscribe/<token>`: where an account stops its e-mail. Nobody signs in: the token in the address was in a mail. */
import { countAddress } from '../admission/rate-limit.ts';
import type { Env } from '../common/env.ts';
import { ok, type Result } from '../common/result.ts';
import { execute } from '../database/execute.ts';
import { answerUnsubscribe } from '../delivery/unsubscribe.ts';
import { Trace } from '../log/log.ts';
import type { ResponseData } from '../response/response-data.ts';
import { muteMessage } from '../statement/delivery.ts';

export async function unsubscribe(request: Request, token: string, env: Env): Promise<Response> {
  // The log has this name in place of the path, in which the token is.
  const trace = new Trace(request, 'unsubscribe');
  return trace.finish(await respond(request, token, env));
}

async function respond(request: Request, token: string, env: Env): Promise<Result<ResponseData>> {
  // Checked first, so that a flood of guesses costs nothing else.
  const counted = await countAddress(request, 'unsubscribe', env);
  if (!counted.ok) {
    return counted;
  }
  const mute = async (account: string): Promise<boolean> => {
    const muted = await execute(muteMessage(account), env, { login: 'deliverer', callerKey: 'unsubscribe' });
    return muted.ok;
  };
  return ok(await answerUnsubscribe(request, token, env.SECRET_KEY ?? '', mute));
}
