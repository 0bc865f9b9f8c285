/** `supabase.rpc('redeliver', { id })`: staff send a delivery again. */
import { deliveries } from '../../schema/deliveries.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { argumentsOf, idOf, references } from '../rest/describe/functions.ts';
import type { Json } from '../rest/describe/json-schema.ts';
import { valueResponses } from '../rest/describe/responses.ts';
import type { Call } from '../rest/endpoint.ts';
import { notOffered } from '../rest/request/media-type.ts';
import type { ResponseData } from '../rest/response/response-data.ts';
import { headOfCall, readId, type ServedFunction, valueResponse } from '../rest/rpc.ts';
import { redeliverMessage } from './statements.ts';

/** The result of `redeliver`. */

/** The result of `redeliver`. */
const redelivered: Json = {
  type: 'object',
  required: ['id', 'state'],
  properties: { id: { type: 'integer' }, state: { type: 'string' } },
};

export const redeliver: ServedFunction = {
  name: 'redeliver',
  audiences: ['staff'],
  writes: true,
  respond: respondRedelivery,
  type: '{ Args: { id: number }; Returns: { id: number; state: string } }',
  result: { schema: redelivered },
  operation: {
    tags: [deliveries.name],
    operationId: 'redeliver',
    summary: 'Send a delivery again',
    description:
      'The delivery waits for its first attempt, like a new one. A refused address is tried again. 409 while it is being sent, or when its webhook is disabled.',
    parameters: references('apikey', 'requestId'),
    requestBody: argumentsOf(idOf({ type: 'integer' }), { id: 4711 }),
    responses: valueResponses(
      'Its id and state.',
      {
        'application/json': { schema: redelivered },
        'application/vnd.pgrst.object+json': { schema: redelivered },
      },
      [400, 401, 404, 405, 406, 408, 409, 413, 414, 415, 416, 429, 431, 500, 503, 504],
      ['Preference-Applied'],
    ),
  },
};

async function respondRedelivery(call: Call): Promise<Result<ResponseData>> {
  const { request, caller } = call;
  const head = headOfCall(request, redeliver.name, 'one argument: { id }');
  if (!head.ok) {
    return head;
  }
  const { mediaType, preferences } = head.value;
  if (mediaType.is !== 'json' && mediaType.is !== 'object') {
    return notOffered(mediaType);
  }
  const id = await readId(call, head.value, redeliver.name, deliveries);
  if (!id.ok) {
    return id;
  }
  const rows = await call.send(false)(redeliverMessage(caller, id.value, preferences));
  if (!rows.ok) {
    return rows;
  }
  const body = rows.value[0]?.['body'];
  return body
    ? ok(valueResponse(body, mediaType, preferences))
    : fail<Failure>({ is: 'row not found', collection: deliveries.name });
}
