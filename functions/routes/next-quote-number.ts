/** `POST /rest/v1/rpc/next_quote_number` (`supabase.rpc('next_quote_number')`). */
import type { Call, ServedFunction } from '../app/endpoint.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { execute } from '../database/execute.ts';
import type { Failure } from '../failure/failure.ts';
import { isTooLong } from '../request/excess.ts';
import { contentType, negotiate, notOffered, type RowsMediaType } from '../request/media-type.ts';
import { readBody } from '../request/read-body.ts';
import type { ResponseData } from '../response/response-data.ts';
import { nextQuoteNumberMessage } from '../statement/functions.ts';
import { marked } from '../statement/session.ts';

const name = 'next_quote_number';

export const nextQuoteNumber: ServedFunction = { name, writes: false, respond };

async function respond({ request, env, caller, callerKey, trace }: Call): Promise<Result<ResponseData>> {
  const mediaType = negotiateValue(request.headers.get('accept'));
  if (!mediaType.ok) {
    return mediaType;
  }
  if (caller.kind === 'anon') {
    return fail<Failure>({ is: 'forbidden function', name });
  }
  const body = await readBody(request, callerKey);
  if (!body.ok) {
    return body;
  }
  body.value.release();
  if (!/^\s*(?:\{\s*\}\s*)?$/.test(body.value.text)) {
    return fail<Failure>({ is: 'function arguments', name, takes: 'no arguments' });
  }
  const message = marked(nextQuoteNumberMessage(caller, mediaType.value), trace);
  // A repeated call may skip a number. Gaps are harmless.
  const options = { login: 'api', callerKey, caller, repeatable: true } as const;
  const rows = await trace.database(() => execute(message, env, options));
  return rows.ok
    ? ok({
        status: 200,
        headers: { 'content-type': contentType(mediaType.value) },
        body: rows.value[0]?.['body'] ?? 'null',
      })
    : rows;
}

/** Negotiates the media type of the number: one that rows have. There is no execution plan worth showing. */
function negotiateValue(accept: string | null): Result<RowsMediaType> {
  if (isTooLong(accept)) {
    return fail<Failure>({ is: 'header too long' });
  }
  const mediaType = negotiate(accept);
  if (!mediaType.ok) {
    return mediaType;
  }
  const { value } = mediaType;
  return value.is === 'plan' ? notOffered(value) : ok(value);
}
