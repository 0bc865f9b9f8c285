/** `/rest/v1/`: the caller's operations as Swagger, OpenAPI or TypeScript types. */
import type { Audience } from '../../schema/collection.ts';
import { admit } from '../caller/admit.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { describeTypes } from './describe/describe-types.ts';
import { describeApi, withServer } from './describe/document.ts';
import type { Described } from './describe/functions.ts';
import { mediaTypes, type Representation, representationFor } from './describe/representation.ts';
import { describeSwagger, withHost } from './describe/swagger.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { isHeaderTooLong } from './request/query-excess.ts';
import { findUnexposed } from './request/request.ts';
import type { ResponseData } from './response/response-data.ts';

/** The path of the OpenAPI document, for programs that take a URL and no headers. */
export const openApiPath = '/rest/v1/openapi.json';

export function apiRoot(described: Described): Endpoint {
  const texts = new Map<string, string>();
  /** Returns the document for an audience in a format, which is made once. */
  const textFor = (representation: Representation, audience: Audience): string => {
    const key = `${representation} ${audience}`;
    const text = texts.get(key) ?? textOf(describe[representation](described, audience));
    texts.set(key, text);
    return text;
  };
  return { methods: 'OPTIONS,GET,HEAD', admit, respond: async call => respond(call, textFor) };
}

const textOf = (description: object | string): string =>
  typeof description === 'string' ? description : JSON.stringify(description);

function respond(
  { request, caller }: Call,
  textFor: (representation: Representation, audience: Audience) => string,
): Result<ResponseData> {
  const { method, headers, url } = request;
  const accept = headers.get('accept');
  if (isHeaderTooLong(accept)) {
    return fail<Failure>({ is: 'header too long' });
  }
  const schema = headers.get('accept-profile');
  const unexposed = schema === null ? undefined : findUnexposed(schema);
  if (unexposed) {
    return fail(unexposed);
  }
  const isOpenApi = new URL(url).pathname === openApiPath;
  const representation = isOpenApi ? 'openapi' : representationFor(accept);
  const text = textFor(representation, caller.audience);
  return ok({
    status: 200,
    headers: {
      'content-type': `${mediaTypes[representation]}; charset=utf-8`,
      vary: 'Accept, Accept-Profile',
    },
    body: method === 'HEAD' ? null : locate[representation](text, url),
  });
}

const describe: Record<Representation, (described: Described, audience: Audience) => object | string> = {
  openapi: describeApi,
  swagger: describeSwagger,
  typescript: describeTypes,
};

/**
 * Adds the address of the request. Without a route, the client chooses it (the Host header), so it must not be part of the
 * kept text, and no cache may store the response.
 */
const locate: Record<Representation, (text: string, url: string) => string> = {
  openapi: withServer,
  swagger: withHost,
  typescript: text => text,
};
