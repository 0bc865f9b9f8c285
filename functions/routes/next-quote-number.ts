/** `POST /rest/v1/rpc/next_quote_number` (`supabase.rpc('next_quote_number')`). */
import { admit } from '../admission/admit.ts';
import { callerKey } from '../admission/caller-key.ts';
import type { Env } from '../common/env.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { execute } from '../database/execute.ts';
import type { Failure } from '../failure/failure.ts';
import { Trace } from '../log/log.ts';
import { isTooLong } from '../request/excess.ts';
import { contentType, negotiate, type RowsMediaType } from '../request/media-type.ts';
import { readBody } from '../request/read-body.ts';
import { respondOptions } from '../response/cors.ts';
import type { ResponseData } from '../response/response-data.ts';
import { marked } from '../statement/marked.ts';
import { nextQuoteNumberMessage } from '../statement/next-quote-number.ts';

export const nextQuoteNumberName = 'next_quote_number';
const methods = 'OPTIONS,POST';

export async function nextQuoteNumber(request: Request, env: Env): Promise<Response> {
  if (request.method === 'OPTIONS') {
    return respondOptions(request, methods);
  }
  const trace = new Trace(request, nextQuoteNumberName);
  return trace.finish(await respond(request, env, trace));
}

async function respond(request: Request, env: Env, trace: Trace): Promise<Result<ResponseData>> {
  const { method } = request;
  if (method !== 'POST') {
    return fail<Failure>({ is: 'function method', method, allow: methods });
  }
  const caller = await admit(request, env, trace);
  if (!caller.ok) {
    return caller;
  }
  const mediaType = negotiateValue(request.headers.get('accept'));
  if (!mediaType.ok) {
    return mediaType;
  }
  if (caller.value.kind === 'anon') {
    return fail<Failure>({ is: 'forbidden function', name: nextQuoteNumberName });
  }
  const key = callerKey(request.headers, caller.value);
  const body = await readBody(request, key);
  if (!body.ok) {
    return body;
  }
  body.value.release();
  if (!/^\s*(?:\{\s*\}\s*)?$/.test(body.value.text)) {
    return fail<Failure>({ is: 'function arguments', name: nextQuoteNumberName, takes: 'no arguments' });
  }
  const message = marked(nextQuoteNumberMessage(caller.value, mediaType.value), trace);
  // A repeated call may skip a number. Gaps are harmless.
  const repeatable = true;
  const options = {
    login: 'api',
    callerKey: key,
    caller: caller.value,
    repeatable,
  } as const;
  const rows = await trace.database(() => execute(message, env, options));
  return rows.ok
    ? ok({
        status: 200,
        headers: { 'content-type': contentType(mediaType.value) },
        body: rows.value[0]?.['body'] ?? 'null',
      })
    : rows;
}

/** The media type of the number: one that rows have. There is no execution plan worth showing. */
function negotiateValue(accept: string | null): Result<RowsMediaType> {
  if (isTooLong(accept)) {
    return fail<Failure>({ is: 'header too long' });
  }
  const mediaType = negotiate(accept);
  if (!mediaType.ok) {
    return mediaType;
  }
  const { value } = mediaType;
  return value.is === 'plan'
    ? fail<Failure>({
        is: 'unacceptable media type',
        mediaTypes: [`application/vnd.pgrst.plan+${value.format}`],
      })
    : ok(value);
}
