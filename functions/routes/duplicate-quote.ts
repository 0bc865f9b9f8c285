/** `POST /rest/v1/rpc/duplicate_quote` with `{"id": …}`: makes a draft of a quote (`supabase.rpc('duplicate_quote', { id })`). */
import { quotes } from '../../schema/quotes.ts';
import type { ServedFunction } from '../app/endpoint.ts';
import { fail, ok } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { planCopy } from '../plan/plan-copy.ts';
import { contentType } from '../request/media-type.ts';

const name = 'duplicate_quote';

export const duplicateQuote: ServedFunction = {
  name,
  writes: true,
  permit: ({ method }, context) =>
    context.caller.kind === 'anon'
      ? fail<Failure>({ is: 'forbidden function', name })
      : ok({ ...context, collection: quotes, permitted: method }),
  plan: (request, context) => planCopy(request, name, context),
  adapt: (response, { mediaType }) => {
    if (!response.ok) {
      return response.failure.is === 'not singular'
        ? fail<Failure>({ is: 'row not found', collection: quotes.name })
        : response;
    }
    const { headers, ...copied } = response.value;
    return ok({ ...copied, status: 200, headers: { ...headers, 'content-type': contentType(mediaType) } });
  },
};
