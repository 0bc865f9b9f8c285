import type { Result } from '../../functions/common/result.ts';
import { type HttpContent, parseContent } from '../../functions/request/parse-body.ts';
import { type HttpHead, parseHead } from '../../functions/request/parse-request.ts';
import { type ApiRequest, takesBody } from '../../functions/request/request.ts';

/** A whole request, as the service reads it: the head, and the body of a method that has one. */
export function parseRequest(
  request: HttpHead & { body: string } & Pick<HttpContent, 'fingerprint'>,
): Result<ApiRequest> {
  const { body: text, header, fingerprint } = request;
  const head = parseHead(request);
  if (!head.ok || !takesBody(head.value.method)) {
    return head;
  }
  const content = { contentType: header('content-type'), text };
  return parseContent(head.value, fingerprint === undefined ? content : { ...content, fingerprint });
}
