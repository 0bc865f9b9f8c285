/** The functions that callers may call at `POST /rest/v1/rpc/<name>`, by the collection whose worker serves them. */
import type { Collection } from '../../schema/collection.ts';
import { deliveries } from '../../schema/deliveries.ts';
import { quotes } from '../../schema/quotes.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { execute } from '../database/execute.ts';
import type { Call, ServedFunction } from './endpoint.ts';
import { planCopy } from './plan/plan-copy.ts';
import { planTimeZone } from './plan/time-zone.ts';
import { validateRows } from './plan/validate-rows.ts';
import { contentType, notOffered, type RowsMediaType } from './request/media-type.ts';
import { contentOf, parseContent } from './request/parse-body.ts';
import { headOf, parseHead } from './request/parse-request.ts';
import type { Preferences } from './request/preferences.ts';
import { readBody } from './request/read-body.ts';
import type { ApiRequest } from './request/request.ts';
import { preferenceApplied } from './response/preference-applied.ts';
import type { ResponseData } from './response/response-data.ts';
import { nextQuoteNumberMessage, redeliverMessage } from './statement/function-calls.ts';
import { marked } from './statement/session.ts';

/** The arguments of functions, for errors. */
const noArguments = 'no arguments';
const oneArgument = 'one argument: { id }';

/** `next_quote_number` (`supabase.rpc('next_quote_number')`). */
const numberName = 'next_quote_number';

const nextQuoteNumber: ServedFunction = { name: numberName, writes: false, respond: respondNumber };

async function respondNumber(call: Call): Promise<Result<ResponseData>> {
  const { request, env, caller, callerKey, trace } = call;
  if (caller.kind === 'anon') {
    return fail<Failure>({ is: 'forbidden function', name: numberName });
  }
  const head = headOfCall(request, numberName, noArguments);
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
    return fail<Failure>({ is: 'function arguments', name: numberName, takes: noArguments });
  }
  const message = marked(nextQuoteNumberMessage(caller, mediaType, preferences), trace);
  // A repeated call may skip a number. Gaps are harmless.
  const options = { login: 'api', callerKey, caller, repeatable: true } as const;
  const rows = await trace.database(() => execute(message, env, options));
  return rows.ok ? ok(valueResponse(rows.value[0]?.['body'] ?? 'null', mediaType, preferences)) : rows;
}

/**
 * Parses the head of a call that returns a value. It has no row to filter or to compare, and a response is not stored, so a retry
 * could not get it again.
 */
function headOfCall(request: Request, name: string, takes: string): Result<ApiRequest> {
  const head = parseHead(headOf(request));
  if (!head.ok) {
    return head;
  }
  const { idempotencyKey, ifMatch, ifNoneMatch, conditions, preferences } = head.value;
  const unused = { 'Idempotency-Key': idempotencyKey, 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch };
  const [header] = Object.entries(unused).find(([, value]) => value !== undefined) ?? [];
  if (header !== undefined) {
    return fail<Failure>({
      is: 'unusable header',
      header,
      details: `The function ${name} does not take it.`,
    });
  }
  if (conditions.length > 0) {
    return fail<Failure>({ is: 'function arguments', name, takes });
  }
  const timeZone = planTimeZone(preferences);
  return timeZone.ok ? head : timeZone;
}

/** Responds with a value. */
function valueResponse(body: string, mediaType: RowsMediaType, preferences: Preferences): ResponseData {
  const applied = preferenceApplied({ is: 'call', preferences });
  return {
    status: 200,
    headers: {
      'content-type': contentType(mediaType),
      ...(applied !== '' && { 'preference-applied': applied }),
    },
    body,
  };
}

/** `duplicate_quote` with `{"id": …}`: makes a draft of a quote (`supabase.rpc('duplicate_quote', { id })`). */
const duplicateName = 'duplicate_quote';

const duplicateQuote: ServedFunction = {
  name: duplicateName,
  writes: true,
  permit: ({ method }, context) =>
    context.caller.kind === 'anon'
      ? fail<Failure>({ is: 'forbidden function', name: duplicateName })
      : ok({ ...context, collection: quotes, permitted: method }),
  plan: (request, context) => planCopy(request, duplicateName, context),
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
};

/** `redeliver` with `{"id": …}`: staff send a delivery again (`supabase.rpc('redeliver', { id })`). */
const redeliverName = 'redeliver';

const redeliver: ServedFunction = { name: redeliverName, writes: true, respond: respondRedelivery };

async function respondRedelivery(call: Call): Promise<Result<ResponseData>> {
  const { request, env, caller, callerKey, trace } = call;
  if (caller.audience !== 'staff') {
    return fail<Failure>({
      is: 'forbidden function',
      name: redeliverName,
      ...(caller.kind !== 'anon' && { authenticated: true }),
    });
  }
  const head = headOfCall(request, redeliverName, oneArgument);
  if (!head.ok) {
    return head;
  }
  const { mediaType, preferences } = head.value;
  if (mediaType.is !== 'json' && mediaType.is !== 'object') {
    return notOffered(mediaType);
  }
  const id = await readId(call, head.value);
  if (!id.ok) {
    return id;
  }
  const message = marked(redeliverMessage(caller, id.value, preferences), trace);
  const options = { login: 'api', callerKey, caller } as const;
  const rows = await trace.database(() => execute(message, env, options));
  if (!rows.ok) {
    return rows;
  }
  const body = rows.value[0]?.['body'];
  return body
    ? ok(valueResponse(body, mediaType, preferences))
    : fail<Failure>({ is: 'row not found', collection: deliveries.name });
}

async function readId({ request, callerKey }: Call, head: ApiRequest): Promise<Result<string>> {
  const body = await readBody(request, callerKey);
  if (!body.ok) {
    return body;
  }
  body.value.release();
  const parsed = parseContent(head, contentOf(request, head, body.value.text));
  if (!parsed.ok) {
    return parsed;
  }
  const { body: content } = parsed.value;
  const row = content?.isArray === false ? content.rows[0] : undefined;
  if (!content || !row || Object.keys(row).join() !== 'id') {
    return fail<Failure>({ is: 'function arguments', name: redeliverName, takes: oneArgument });
  }
  const issues = validateRows(content, ['id'], { privilege: 'update', missing: 'null' }, deliveries);
  return issues.length === 0 ? ok(String(row['id'])) : fail<Failure>({ is: 'invalid fields', issues });
}

const functions: Record<string, ServedFunction[]> = {
  quotes: [nextQuoteNumber, duplicateQuote],
  deliveries: [redeliver],
};

export const functionsOf = ({ name }: Collection): ServedFunction[] => functions[name] ?? [];
