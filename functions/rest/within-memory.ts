/** Executes a statement whose response may be large, within the memory that large responses share. */

import { ok, type Result } from '../common/failure/result.ts';
import { limits } from '../common/limits.ts';
import type { Row } from '../database/database.ts';
import type { SendMessage } from '../database/execute.ts';
import type { Lease } from '../database/leases.ts';
import type { Message } from '../database/sql.ts';
import { largeResponses } from './response/large-response.ts';

interface ExecutedRows {
  rows: Row[];
  /** The lease on the memory of a large response, until it is sent. */
  lease?: Lease;
}

/**
 * Executes the statement for responses of at most `maxBytes`. Many large responses at once would not fit into the isolate's
 * memory, and only the database knows the size of a response. So the first message fails, and is rolled back, when its
 * response exceeds a small limit. It is then sent again under a lease of the maximum size, for the rest of its time. Nearly
 * every request is still one message.
 */
export async function executeWithinMemory(
  statement: (maxBytes: number, again?: { after: number }) => Message,
  maxBytes: number,
  callerKey: string,
  send: SendMessage,
): Promise<Result<ExecutedRows>> {
  const small = await send(statement(Math.min(limits.largeResponses.above, maxBytes)));
  if (small.ok) {
    return ok({ rows: small.value });
  }
  if (small.failure.is !== 'response too large') {
    return small;
  }
  const lease = await largeResponses.acquire(callerKey, maxBytes, 'RESPONSES_FULL');
  if (!lease.ok) {
    return lease;
  }
  const large = await send(statement(maxBytes, small.failure));
  if (!large.ok) {
    largeResponses.release(lease.value);
    return large;
  }
  largeResponses.resize(lease.value, large.value[0]?.['body']?.length ?? 0);
  return ok({ rows: large.value, lease: lease.value });
}
