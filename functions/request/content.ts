/** The second step of HTTP → ApiRequest: the body. */
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { isTooLong } from './excess.ts';
import { fingerprintOf } from './fingerprint.ts';
import { parseBody } from './parse-body.ts';
import type { ApiRequest } from './request.ts';

export interface HttpContent {
  contentType: string | null;
  /** The body; empty without one. */
  text: string;
  /** Present for a request with an Idempotency-Key. */
  fingerprint?: string;
}

export const contentOf = (request: Request, { idempotencyKey }: ApiRequest, text: string): HttpContent => ({
  contentType: request.headers.get('content-type'),
  text,
  ...(idempotencyKey !== undefined && { fingerprint: fingerprintOf(request, text) }),
});

/** Adds the parsed body to the request. */
export function parseContent(request: ApiRequest, content: HttpContent): Result<ApiRequest> {
  const { contentType, text, fingerprint } = content;
  if (isTooLong(contentType)) {
    return fail<Failure>({ is: 'header too long' });
  }
  const body = parseBody(contentType, text);
  return body.ok
    ? ok({ ...request, body: body.value, ...(fingerprint !== undefined && { fingerprint }) })
    : body;
}
