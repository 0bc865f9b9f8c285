/** The trace that a request belongs to, from its header (https://www.w3.org/TR/trace-context, version 00). */
export interface TraceParent {
  /** The whole header: lowercase hex digits and dashes. */
  text: string;
  traceId: string;
  /** The caller's span. */
  parentId: string;
}

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Reads the request's trace, if any. Ignores a malformed header, as the standard demands. */
export function traceParentOf({ headers }: Request): TraceParent | undefined {
  const [text, traceId, parentId] = form.exec(headers.get('traceparent') ?? '') ?? [];
  return text && traceId && parentId ? { text, traceId, parentId } : undefined;
}
