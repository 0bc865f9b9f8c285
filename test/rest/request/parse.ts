import type { Result } from '../../../functions/common/failure/result.ts';
import { parseContent } from '../../../functions/rest/request/parse-body.ts';
import { type HttpHead, parseHead } from '../../../functions/rest/request/parse-request.ts';
import { type ApiRequest, takesBody } from '../../../functions/rest/request/request.ts';

/** A whole request, as the service reads it: the head, and the body of a method that has one. */
export function parseRequest(request: HttpHead & { body: string }): Result<ApiRequest> {
  const head = parseHead(request);
  if (!head.ok || !takesBody(head.value.method)) {
    return head;
  }
  return parseContent(head.value, { contentType: request.header('content-type'), text: request.body });
}
