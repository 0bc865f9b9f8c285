/** The messages of deliveries: what is due is claimed, and settled when it has been sent. */
import { limits } from '../common/limits.ts';
import { timeoutSetting } from './session.ts';
import { type Message, message, type Sql, sql } from './sql.ts';

const timeout = sql`select where ${timeoutSetting(limits.database.statementTimeout)}`;

const within = (statement: Sql): Message => message(timeout, statement);

/** How an attempt ended, in the words of builder.settle_deliveries. */
export interface Settlement {
  id: string;
  /** Which claim it settles. */
  claim: number;
  is: 'sent' | 'failed' | 'dead' | 'unavailable';
  reason?: string;
  /** Until the next attempt. */
  seconds?: number;
  refuses?: boolean;
}

/** How many at most; `aDay`: e-mails in a day, of everybody. */
export interface ClaimRequest {
  mails: number;
  aDay: number;
  calls: number;
}

/** The row has `claimed`: a JSON array of what builder.claim_deliveries returns. */
export const claimMessage = ({ mails, aDay, calls }: ClaimRequest): Message =>
  within(
    sql`select coalesce(json_agg(claimed), '[]')::text as claimed from builder.claim_deliveries(${mails}, ${aDay}, ${calls}) claimed`,
  );

export const settleMessage = (settlements: Settlement[]): Message =>
  within(sql`select from builder.settle_deliveries(${JSON.stringify(settlements)})`);

/** The row has `next_mail`, `next_call` and, if it is `counted`, `mails` (builder.delivery_state). */
export const deliveryStateMessage = (counted: boolean): Message =>
  within(
    sql`select next_mail::text, next_call::text, mails::text from builder.delivery_state(${String(counted)})`,
  );

export const muteMessage = (account: string): Message =>
  within(sql`select from builder.mute_account(${account})`);
