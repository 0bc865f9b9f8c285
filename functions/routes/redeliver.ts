/** `POST /rest/v1/rpc/redeliver` with `{"id": …}`: staff send a delivery again (`supabase.rpc('redeliver', { id })`). */
import { deliveries } from '../../schema/deliveries.ts';
import type { Call, ServedFunction } from '../app/endpoint.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { execute } from '../database/execute.ts';
import type { Failure } from '../failure/failure.ts';
import { validateRows } from '../plan/validate-rows.ts';
import { contentOf, parseContent } from '../request/content.ts';
import { parseHead } from '../request/parse-request.ts';
import { readBody } from '../request/read-body.ts';
import { jsonType, type ResponseData } from '../response/response-data.ts';
import { redeliverMessage } from '../statement/functions.ts';
import { marked } from '../statement/session.ts';

const name = 'redeliver';

export const redeliver: ServedFunction = { name, writes: true, respond };

async function respond(call: Call): Promise<Result<ResponseData>> {
  const { env, caller, callerKey, trace } = call;
  if (caller.audience !== 'staff') {
    return fail<Failure>({
      is: 'forbidden function',
      name,
      ...(caller.kind !== 'anon' && { authenticated: true }),
    });
  }
  const id = await readId(call);
  if (!id.ok) {
    return id;
  }
  const message = marked(redeliverMessage(caller, id.value), trace);
  const options = { login: 'api', callerKey, caller } as const;
  const rows = await trace.database(() => execute(message, env, options));
  if (!rows.ok) {
    return rows;
  }
  const body = rows.value[0]?.['body'];
  return body
    ? ok({ status: 200, headers: jsonType, body })
    : fail<Failure>({ is: 'row not found', collection: deliveries.name });
}

async function readId({ request, callerKey }: Call): Promise<Result<string>> {
  const query = new URL(request.url).search.slice(1);
  const head = parseHead({ method: 'POST', query, header: header => request.headers.get(header) });
  if (!head.ok) {
    return head;
  }
  const body = await readBody(request, callerKey);
  if (!body.ok) {
    return body;
  }
  body.value.release();
  const parsed = parseContent(head.value, contentOf(request, head.value, body.value.text));
  if (!parsed.ok) {
    return parsed;
  }
  const { body: content } = parsed.value;
  const row = content?.isArray === false ? content.rows[0] : undefined;
  if (!content || !row || Object.keys(row).join() !== 'id') {
    return fail<Failure>({ is: 'function arguments', name, takes: 'one argument: { id }' });
  }
  const issues = validateRows(content, ['id'], { privilege: 'update', missing: 'null' }, deliveries);
  return issues.length === 0 ? ok(String(row['id'])) : fail<Failure>({ is: 'invalid fields', issues });
}
