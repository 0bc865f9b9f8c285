import { admitAddress } from '../caller/admit.ts';
import type { Failure } from '../common/failure/failure.ts';
import { loggedOf } from '../common/failure/render-failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { deliveryStatus } from '../delivery/delivery-stub.ts';
import { liveStatus } from '../live/live-stub.ts';
import type { Call, Endpoint } from '../rest/endpoint.ts';
import { jsonType, type ResponseData } from '../rest/response/response-data.ts';
import { healthMessage } from '../sweep/statements.ts';

/**
 * Responds with 200 when the database replies and can write, and with whether live updates read their feed, e-mail and webhook
 * calls are sent and the sweep runs; else 503, or 500 when its address is not set. It needs no key and reveals nothing else.
 * Only failures are logged.
 */
export const health: Endpoint = {
  methods: 'OPTIONS,GET,HEAD',
  admit: admitAddress('health'),
  logged: false,
  respond,
};

async function respond({ env, caller, send }: Call): Promise<Result<ResponseData>> {
  const reply = await send(true)(healthMessage(caller, env.READ_REPLICA !== '1'));
  if (reply.ok) {
    const [live, delivery] = await Promise.all([liveStatus(env), deliveryStatus(env)]);
    // No cron runs on a developer's machine.
    const sweep = env.LOCAL === '1' ? undefined : reply.value[0]?.['sweep'];
    return ok({
      status: 200,
      headers: jsonType,
      body: JSON.stringify({ status: 'ok', live, ...delivery, sweep }),
    });
  }
  const { reason } = loggedOf(reply.failure);
  return reply.failure.is === 'not set' ? reply : fail<Failure>({ is: 'database unavailable', reason });
}
