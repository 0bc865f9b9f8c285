/** Of which trace a request is a part, as its header says (https://www.w3.org/TR/trace-context, version 00). */
export interface TraceParent {
  /** The header, whole: lowercase hex digits and dashes. */
  text: string;
  traceId: string;
  /** The caller's span. */
  parentId: string;
}

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Undefined without the header `traceparent`, and when it is not well-formed: the standard has it ignored. */
export function traceParentOf({ headers }: Request): TraceParent | undefined {
  const [text, traceId, parentId] = form.exec(headers.get('traceparent') ?? '') ?? [];
  return text && traceId && parentId ? { text, traceId, parentId } : undefined;
}
