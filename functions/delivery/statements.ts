/** The messages of deliveries: due deliveries are claimed, and settled after the attempt. Their functions are in sql/. */

import { type Message, sql } from '../database/sql.ts';
import { jobMessage } from '../database/statements.ts';

/** How an attempt ended, in the words of builder.settle. */
export interface Settlement {
  message_id: string;
  /** The fencing token: the claim that it settles. */
  claim: number;
  outcome: 'sent' | 'failed' | 'refused' | 'unanswered' | 'dead' | 'unavailable';
  reason?: string | undefined;
  /** Seconds that the receiver asks to wait (Retry-After). */
  retry_after?: number | undefined;
}

export interface MailClaim {
  /** Maximum number of deliveries. */
  mails: number;
  /** Maximum number in a day, for all accounts together. */
  aDay: number;
  /** The address for messages to the staff; null turns them off. */
  staff: string | null;
  /** Whether mails have links to offers. */
  links: boolean;
}

/** The row has `claimed`: a JSON array of what builder.claim_emails returns. */
export const claimMailsMessage = ({ mails, aDay, staff, links }: MailClaim): Message =>
  jobMessage(
    sql`select coalesce(json_agg(claimed), '[]')::text as claimed from builder.claim_emails(${mails}, ${aDay}, ${staff}, ${String(links)}) claimed`,
  );

/** The row has `claimed`: a JSON array of what builder.claim_calls returns. */
export const claimCallsMessage = (calls: number, onlyLoopback: boolean): Message =>
  jobMessage(
    sql`select coalesce(json_agg(claimed), '[]')::text as claimed from builder.claim_calls(${calls}, ${String(onlyLoopback)}) claimed`,
  );

/** The rows have `message_id`, `state` and `retry_in` in seconds. Deliveries that were claimed again meanwhile are left out. */
export const settleMessage = (settlements: Settlement[]): Message =>
  jobMessage(
    sql`select s.message_id::text, settled.state, settled.retry_in::text
      from json_to_recordset(${JSON.stringify(settlements)}) as s (message_id uuid, claim integer, outcome text, reason text, retry_after double precision)
      cross join lateral builder.settle(s.message_id, s.claim, s.outcome, s.reason, s.retry_after) settled`,
  );

/** The row is builder.delivery_status. */
export const deliveryStatusMessage = (canMail: boolean, onlyLoopback: boolean): Message =>
  jobMessage(
    sql`select next_mail::text, next_call::text, late_mail::text, late_call::text, to_warn::text, failing::text from builder.delivery_status(${String(canMail)}, ${String(onlyLoopback)})`,
  );

export const unsubscribeMessage = (account: string, milliseconds: number): Message =>
  jobMessage(sql`select from builder.unsubscribe_account(${account})`, milliseconds);
