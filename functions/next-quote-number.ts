/** `POST /rest/v1/rpc/next_quote_number`: the one function this API has (`supabase.rpc('next_quote_number')`). */
import { admit } from './admit.ts';
import { callerName } from './caller-name.ts';
import { respondOptions } from './cors.ts';
import type { Env } from './env.ts';
import { execute } from './execute.ts';
import type { Failure } from './failure.ts';
import { readBody } from './read-body.ts';
import { type Answer, jsonType } from './respond.ts';
import { fail, ok, type Result } from './result.ts';
import { marked } from './statement/marked.ts';
import { nextQuoteNumberMessage } from './statement/next-quote-number.ts';
import { Trace } from './trace.ts';

const name = 'next_quote_number';
export const nextQuoteNumberPath = `/rest/v1/rpc/${name}`;
const methods = 'OPTIONS,POST';

export async function nextQuoteNumber(request: Request, env: Env): Promise<Response> {
  if (request.method === 'OPTIONS') {
    return respondOptions(request, methods);
  }
  const trace = new Trace(request, name);
  return trace.finish(await answer(request, env, trace));
}

async function answer(request: Request, env: Env, trace: Trace): Promise<Result<Answer>> {
  const { method } = request;
  if (method !== 'POST') {
    return fail<Failure>({ is: 'function method', method, allow: methods });
  }
  const caller = await admit(request, env, trace);
  if (!caller.ok) {
    return caller;
  }
  if (caller.value.kind === 'anon') {
    return fail<Failure>({ is: 'forbidden function', name });
  }
  const body = await readBody(request, callerName(request.headers, caller.value));
  if (!body.ok) {
    return body;
  }
  body.value.release();
  if (!/^\s*(?:\{\s*\}\s*)?$/.test(body.value.text)) {
    return fail<Failure>({ is: 'unknown function', name, hint: `${name} takes no arguments.` });
  }
  const message = marked(nextQuoteNumberMessage(caller.value), trace);
  // A number that nobody was given leaves a gap, which does no harm.
  const repeatable = true;
  const sender = {
    login: 'api',
    name: callerName(request.headers, caller.value),
    caller: caller.value,
    repeatable,
  } as const;
  const rows = await trace.database(() => execute(message, env, sender));
  return rows.ok ? ok({ status: 200, headers: jsonType, body: rows.value[0]?.['body'] ?? 'null' }) : rows;
}
