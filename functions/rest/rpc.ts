/** Functions at `POST /rest/v1/rpc/<name>`, which workers hand to the engine, and what those share that return a value. */
import type { Collection } from '../../schema/collection.ts';
import { admit } from '../caller/admit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import type { DescribedFunction } from './describe/functions.ts';
import type { Call, Endpoint, RowsFunction } from './endpoint.ts';
import { planTimeZone } from './plan/time-zone.ts';
import { validateRows } from './plan/validate-rows.ts';
import { contentType, type RowsMediaType } from './request/media-type.ts';
import { contentOf, parseContent } from './request/parse-body.ts';
import { headOf, parseHead } from './request/parse-request.ts';
import type { Preferences } from './request/preferences.ts';
import { readBody } from './request/read-body.ts';
import type { ApiRequest } from './request/request.ts';
import { preferenceApplied } from './response/headers.ts';
import type { ResponseData } from './response/response-data.ts';
import { respondWithRows } from './rows.ts';

/** A function with its description. It returns rows, or builds its own response. */
export type ServedFunction = DescribedFunction & {
  /** Whether it writes rows. */
  writes: boolean;
} & (RowsFunction | { respond(call: Call): Promise<Result<ResponseData>> });

/** Returns the endpoint of a function: it responds to the callers who may call it. */
export const endpointOfFunction = (served: ServedFunction): Endpoint => ({
  name: served.name,
  methods: 'OPTIONS,POST',
  otherMethod: 'function method',
  admit,
  writes: () => served.writes,
  respond: async call => {
    if (!served.audiences.includes(call.caller.audience)) {
      return fail<Failure>(forbidden(served.name, call.caller));
    }
    return 'respond' in served ? served.respond(call) : respondWithRows(served, call);
  },
});

const forbidden = (name: string, caller: Caller): Failure => ({
  is: 'forbidden function',
  name,
  ...(caller.kind !== 'anon' && { authenticated: true }),
});

/**
 * Parses the head of a call that returns a value. It has no row to filter or to compare, and a response is not stored, so a retry
 * could not get it again.
 */
export function headOfCall(request: Request, name: string, takes: string): Result<ApiRequest> {
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
export function valueResponse(
  body: string,
  mediaType: RowsMediaType,
  preferences: Preferences,
): ResponseData {
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

/** Returns the row's key of a call whose only argument is `{ id }`. */
export async function readId(
  { request, callerKey }: Call,
  head: ApiRequest,
  name: string,
  collection: Collection,
): Promise<Result<string>> {
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
    return fail<Failure>({ is: 'function arguments', name: name, takes: 'one argument: { id }' });
  }
  const issues = validateRows(content, ['id'], { privilege: 'update', missing: 'null' }, collection);
  return issues.length === 0 ? ok(String(row['id'])) : fail<Failure>({ is: 'invalid fields', issues });
}
