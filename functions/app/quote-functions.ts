/** The functions of quotes: `supabase.rpc('next_quote_number')` and `supabase.rpc('duplicate_quote', { id })`. */
import { quotes } from '../../schema/quotes.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { argumentsOf, idOf, references } from '../rest/describe/functions.ts';
import { noArguments } from '../rest/describe/json-schema.ts';
import { headersOf, refer } from '../rest/describe/parameters.ts';
import { valueResponses } from '../rest/describe/responses.ts';
import type { Call } from '../rest/endpoint.ts';
import { planCopy } from '../rest/plan/plan-copy.ts';
import { contentType, notOffered } from '../rest/request/media-type.ts';
import { readBody } from '../rest/request/read-body.ts';
import type { ResponseData } from '../rest/response/response-data.ts';
import { headOfCall, type ServedFunction, valueResponse } from '../rest/rpc.ts';
import { nextQuoteNumberMessage } from './statements.ts';

const { name, columns } = quotes;
const callers = ['customer', 'staff'] as const;
const numberSchema = { type: 'string', pattern: columns['quote_number']?.type.pattern?.source };

const nextQuoteNumber: ServedFunction = {
  name: 'next_quote_number',
  audiences: callers,
  writes: false,
  respond: respondNumber,
  type: '{ Args: never; Returns: string }',
  result: { schema: { type: 'string' } },
  operation: {
    tags: [name],
    operationId: 'next_quote_number',
    summary: 'Get the next free quote number',
    description:
      'Each call returns a number that no other call returned, and that no quote of staff or of an import has. Numbers that customers chose do not count. The function takes no arguments.',
    parameters: references('apikey', 'requestId'),
    requestBody: argumentsOf(noArguments, {}),
    responses: valueResponses(
      'The number; in CSV, under the heading `pgrst_scalar`.',
      {
        'application/json': { schema: numberSchema },
        'application/vnd.pgrst.object+json': { schema: numberSchema },
        'text/csv': { schema: { type: 'string' } },
      },
      [400, 401, 404, 405, 406, 408, 413, 414, 415, 416, 429, 431, 500, 503, 504],
      ['Preference-Applied'],
    ),
  },
};

async function respondNumber(call: Call): Promise<Result<ResponseData>> {
  const { request, caller, callerKey } = call;
  const head = headOfCall(request, nextQuoteNumber.name, takesNothing);
  if (!head.ok) {
    return head;
  }
  const { mediaType, preferences } = head.value;
  if (mediaType.is === 'plan') {
    return notOffered(mediaType);
  }
  const body = await readBody(request, callerKey);
  if (!body.ok) {
    return body;
  }
  body.value.release();
  if (!/^\s*(?:\{\s*\}\s*)?$/.test(body.value.text)) {
    return fail<Failure>({ is: 'function arguments', name: nextQuoteNumber.name, takes: takesNothing });
  }
  // A repeated call may skip a number. Gaps are harmless.
  const rows = await call.send(true)(nextQuoteNumberMessage(caller, mediaType, preferences));
  return rows.ok ? ok(valueResponse(rows.value[0]?.['body'] ?? 'null', mediaType, preferences)) : rows;
}

const takesNothing = 'no arguments';

const duplicateQuote: ServedFunction = {
  name: 'duplicate_quote',
  audiences: callers,
  writes: true,
  permit: ({ method }, context) => ok({ ...context, collection: quotes, permitted: method }),
  plan: (request, context) => planCopy(request, duplicateQuote.name, context),
  adapt: (response, { mediaType }) => {
    if (!response.ok) {
      return response.failure.is === 'not singular'
        ? fail<Failure>({ is: 'row not found', collection: quotes.name })
        : response;
    }
    const { headers, ...copied } = response.value;
    // A retry whose first response was too large to store: only its Location is known.
    if (copied.body === null) {
      return response;
    }
    return ok({ ...copied, status: 200, headers: { ...headers, 'content-type': contentType(mediaType) } });
  },
  type: `{ Args: { id: string }; Returns: Database['public']['Tables']['${name}']['Row'] }`,
  result: { row: name },
  operation: {
    tags: [name],
    operationId: 'duplicate_quote',
    summary: 'Copy a quote into a new draft',
    description:
      'The draft has a new number, the source `duplicate`, and the design, roster, contact and addresses of the quote. Prices, times and progress are not copied.',
    parameters: references('apikey', 'select', 'idempotencyKey', 'requestId'),
    requestBody: argumentsOf(idOf({ type: 'string', format: 'uuid' }), {
      id: 'c0000000-0000-4000-8000-000000000001',
    }),
    responses: {
      ...valueResponses(
        'The draft.',
        Object.fromEntries(
          ['application/json', 'application/vnd.pgrst.object+json'].map(type => [
            type,
            { schema: refer('schemas', name) },
          ]),
        ),
        [400, 401, 404, 405, 406, 408, 409, 413, 414, 415, 416, 422, 429, 431, 500, 503, 504],
        ['Content-Range', 'Preference-Applied', 'Content-Profile', 'ETag'],
      ),
      201: {
        description: 'The response to a retry whose first response is no longer stored.',
        headers: headersOf(['Content-Range', 'Preference-Applied', 'ETag', 'Location']),
      },
    },
  },
};

export const quoteFunctions = [nextQuoteNumber, duplicateQuote];
