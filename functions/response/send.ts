/** The one place where a response becomes a `Response`. */
import { largeResponses, streamHeld } from '../admission/large-response.ts';
import type { Lease } from '../admission/leases.ts';
import { commonHeaders } from './headers.ts';
import type { ResponseData } from './response-data.ts';

/** A response whose body may be a file of the page. */
export type Sendable = Omit<ResponseData, 'body'> & { body: string | ReadableStream | null };

/** Creates the response, with the headers that every response has. */
export const send = (request: Request, response: Sendable, requestId: string): Response =>
  new Response(bodyOf(response), {
    status: response.status,
    headers: { ...commonHeaders(request, response), ...response.headers, 'x-request-id': requestId },
  });

/** Returns what a response sends. A large one is streamed, so that its lease can be released when it has been sent. */
const bodyOf = ({ body, lease }: Sendable): BodyInit | null =>
  lease && (body === null || typeof body === 'string') ? bodyWithLease(body, lease) : body;

function bodyWithLease(body: string | null, lease: Lease): ReadableStream | null {
  if (body === null) {
    largeResponses.release(lease);
    return null;
  }
  return streamHeld(body, lease);
}
