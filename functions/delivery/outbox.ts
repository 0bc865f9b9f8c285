/** Claims due deliveries, and settles and logs each attempt. The database decides about further attempts (builder.settle). */
import { crashLine } from '../common/crash-line.ts';
import type { Failure } from '../common/failure/failure.ts';
import { ok, type Result } from '../common/failure/result.ts';
import { causeOf } from '../common/failure/sqlstates.ts';
import { monotonicNow } from '../common/monotonic.ts';
import type { Row } from '../database/database.ts';
import type { SendMessage } from '../database/execute.ts';
import type { Message } from '../database/sql.ts';
import { deliveryLimits } from './delivery-limits.ts';
import {
  claimCallsMessage,
  claimMailsMessage,
  deliveryStatusMessage,
  type MailClaim,
  type Settlement,
  settleMessage,
} from './statements.ts';

interface Claimed {
  /** The delivery's number, by which staff know it. */
  id: string;
  /** Its Message-ID or webhook-id, the same at each attempt, by which it is settled. */
  messageId: string;
  /** Fencing token for settling. */
  claim: number;
  /** The number of this attempt, from 1. */
  attempt: number;
}

interface ClaimedMail extends Claimed {
  /** Null for a mail to staff. */
  account: string | null;
  to: string;
  /** Its first line. */
  greeting: string | null;
  body: string;
  link: string | null;
  /** The language of the text, as the database spells it. */
  language: string;
  /** The lines with the link of an offer, `{offer_url}`, and its id in quote_links; null for other mails. */
  offer_line: string | null;
  offer_link: string | null;
}

/**
 * A row of `quote_events`, with the current state of its quote; or, without a quote, that the events of an account from this
 * one on were skipped. Times are ISO 8601.
 */
export interface WebhookEvent {
  /** The number of the event; none for `account.erased`. */
  event_id?: number;
  /** Its name, such as `quote.quoted`. */
  event: string;
  created_at: string;
  account_id: string;
  quote_id?: string;
  quote_number?: string;
  status?: string;
  previous_status?: string | null;
  fulfillment_status?: string | null;
  /** The quote's time of change, which orders two calls. */
  updated_at?: string;
}

interface ClaimedCall extends Claimed {
  url: string;
  secrets: string[];
  event: WebhookEvent;
  /** By the database's clock, in milliseconds since 1970. */
  claimedAt: number;
}

/** The result of an attempt, with one of builder.settle's outcomes. A `reason` of `sent` explains why that is uncertain. */
export interface SendResult {
  is: Settlement['outcome'];
  reason?: string;
  /** Seconds. */
  retryAfter?: number;
}

export interface Attempt {
  kind: 'mail' | 'webhook';
  claimed: Claimed;
  /** The destination host; for a mail, the domain of its address. */
  host: string;
  /** By monotonicNow(). */
  began: number;
  ended: number;
  result: SendResult;
}

/** Attempts one delivery. A bug fails only this attempt. */
export async function attemptSafely(
  kind: Attempt['kind'],
  claimed: Attempt['claimed'],
  host: string,
  send: () => Promise<SendResult>,
): Promise<Attempt> {
  const began = monotonicNow();
  let result: SendResult;
  try {
    result = await send();
  } catch (error) {
    console.error(crashLine(error as Error));
    result = { is: 'failed', reason: 'internal error; see the log' };
  }
  return { kind, claimed, host, began, ended: monotonicNow(), result };
}

interface OutboxStatus {
  /** Milliseconds until the next e-mail and the next call are due; infinity without one. */
  nextMail: number;
  nextCall: number;
  isMailLate: boolean;
  isCallLate: boolean;
  /** The number of webhooks whose last call failed. */
  failing: number;
  /** The number of waiting e-mails, if a warning is due. */
  toWarn: number | undefined;
}

export class Outbox {
  readonly #ask: SendMessage;
  readonly #log: (line: object) => void;
  readonly #onlyLoopback: boolean;
  #unsettled: Attempt[] = [];

  /** With `onlyLoopback`, calls of webhooks that are not on this machine wait. */
  constructor(ask: SendMessage, log: (line: object) => void, onlyLoopback = false) {
    this.#ask = ask;
    this.#log = log;
    this.#onlyLoopback = onlyLoopback;
  }

  get hasUnsettled(): boolean {
    return this.#unsettled.length > 0;
  }

  async claimMails(most: MailClaim): Promise<ClaimedMail[]> {
    type Answer = Omit<ClaimedMail, 'messageId' | 'account' | 'to'> & {
      message_id: string;
      account_id: string | null;
      address: string;
    };
    const rows = await this.#claim<Answer>(claimMailsMessage(most));
    return rows.map(({ id, message_id, account_id, address, ...mail }) => ({
      ...mail,
      id: String(id),
      messageId: message_id,
      account: account_id,
      to: address,
    }));
  }

  async claimCalls(most: number): Promise<ClaimedCall[]> {
    type Answer = Omit<ClaimedCall, 'messageId' | 'claimedAt'> & { message_id: string; claimed_at: number };
    const rows = await this.#claim<Answer>(claimCallsMessage(most, this.#onlyLoopback));
    return rows.map(({ id, message_id, claim, attempt, url, secrets, event, claimed_at }) => ({
      ...{ id: String(id), messageId: message_id, claim, attempt, url, secrets, event },
      claimedAt: claimed_at * 1000,
    }));
  }

  async #claim<T>(message: Message): Promise<T[]> {
    const rows = await this.#ask(message);
    return rows.ok ? JSON.parse(rows.value[0]?.['claimed'] ?? '[]') : [];
  }

  /**
   * Settles attempts, including earlier ones that could not be settled while the database was unavailable. Until its lease
   * ends, no other run sends a delivery. An attempt that the database refuses is dropped, so that the others are settled.
   */
  async settle(...attempts: Attempt[]): Promise<void> {
    const all = [...this.#unsettled.splice(0), ...attempts];
    const settled = await this.#settleNow(all);
    if (!settled.ok && isRefusal(settled.failure) && all.length > 1) {
      for (const each of all) {
        await this.#settleNow([each]);
      }
    }
  }

  async #settleNow(attempts: Attempt[]): Promise<Result<unknown>> {
    if (attempts.length === 0) {
      return ok([]);
    }
    const settled = await this.#ask(settleMessage(attempts.map(settlementOf)));
    if (settled.ok) {
      const rows = new Map(settled.value.map(row => [row['message_id'], row]));
      for (const attempt of attempts) {
        this.#log(lineOf(attempt, rows.get(attempt.claimed.messageId)));
      }
    } else if (!isRefusal(settled.failure)) {
      this.#unsettled = [...this.#unsettled, ...attempts].slice(-deliveryLimits.run.unsettled);
    }
    return settled;
  }

  /** Reads the status. With `canMail` false, it may ask for a warning that e-mails are waiting. */
  async status(canMail: boolean): Promise<Result<OutboxStatus, Failure>> {
    const rows = await this.#ask(deliveryStatusMessage(canMail, this.#onlyLoopback));
    if (!rows.ok) {
      return rows;
    }
    const [row = {}] = rows.value;
    const milliseconds = (seconds: string | null | undefined) =>
      seconds ? Number(seconds) * 1000 : Number.POSITIVE_INFINITY;
    return ok({
      nextMail: milliseconds(row['next_mail']),
      nextCall: milliseconds(row['next_call']),
      isMailLate: row['late_mail'] === 'true',
      isCallLate: row['late_call'] === 'true',
      failing: Number(row['failing'] ?? 0),
      toWarn: row['to_warn'] ? Number(row['to_warn']) : undefined,
    });
  }
}

/** Whether the database refused an attempt for good. Deadlocks, locks, timeouts and a pause (which revokes rights) are temporary. */
const isRefusal = (failure: Failure): boolean =>
  failure.is === 'database' && !['busy', 'slow', 'rights'].includes(causeOf(failure.sqlstate));

const settlementOf = ({
  claimed: { messageId, claim },
  result: { is, reason, retryAfter },
}: Attempt): Settlement => ({
  message_id: messageId,
  claim,
  outcome: is,
  reason,
  retry_after: retryAfter,
});

/** Returns the attempt's log line. `row` is undefined when the delivery was claimed again before it was settled. */
function lineOf({ kind, claimed, host, began, ended, result }: Attempt, row: Row | undefined): object {
  const retryIn = row?.['retry_in'];
  return {
    event: 'delivery',
    delivery: kind,
    id: claimed.id,
    attempt: claimed.attempt,
    outcome: row?.['state'] === 'dead' ? 'dead' : result.is,
    host,
    ...(result.reason !== undefined && { reason: result.reason }),
    ...(retryIn && { retry_s: Math.round(Number(retryIn)) }),
    total_ms: ended - began,
  };
}
