/**
 * Claims what is due, and settles and logs each attempt. When it is tried again, and when that ends, the database decides
 * (builder.settle).
 */
import { ok, type Result } from '../common/result.ts';
import type { Row } from '../database/database.ts';
import type { Failure } from '../failure/failure.ts';
import { crashLine } from '../log/crash-line.ts';
import {
  claimCallsMessage,
  claimMailsMessage,
  deliveryStatusMessage,
  type MailClaim,
  type Settlement,
  settleMessage,
} from '../statement/delivery.ts';
import type { Message } from '../statement/sql.ts';

interface Claimed {
  id: string;
  /** Fencing token for settling. */
  claim: number;
  /** The number of this attempt, from 1. */
  attempt: number;
}

export interface ClaimedMail extends Claimed {
  /** Identifies the message in its Message-ID: `notification-<id>` or `event-<id>`. */
  message: string;
  /** Null: it is to the staff. */
  account: string | null;
  to: string;
  body: string;
  link: string | null;
}

/** A row of `quote_events`, with what its quote has now. Times are ISO 8601. */
export interface WebhookEvent {
  id: number | string;
  /** Its name, such as `quote.quoted`. */
  event: string;
  created_at: string;
  quote_id: string;
  quote_number: string;
  account_id: string;
  status: string;
  previous_status: string | null;
  fulfillment_status: string | null;
  /** Of the quote. It says which of two calls is the newer one. */
  updated_at: string;
}

export interface ClaimedCall extends Claimed {
  url: string;
  secrets: string[];
  event: WebhookEvent;
  /** By the database's clock, in milliseconds since 1970. */
  claimedAt: number;
}

/** How an attempt ended: sent, with a `reason` when that is not certain, or why not (builder.settle has the outcomes). */
export interface SendResult {
  is: Settlement['outcome'];
  reason?: string;
  /** Seconds. */
  retryAfter?: number;
}

export interface Attempt {
  kind: 'mail' | 'webhook';
  claimed: Claimed;
  /** The host that it goes to: of a mail, the domain of its address. */
  host: string;
  /** Milliseconds since 1970. */
  began: number;
  ended: number;
  result: SendResult;
}

/** Attempts to send one thing. A bug fails that attempt, and keeps nothing else from being sent. */
export async function attemptSafely(
  kind: Attempt['kind'],
  claimed: Attempt['claimed'],
  host: string,
  send: () => Promise<SendResult>,
): Promise<Attempt> {
  const began = Date.now();
  let result: SendResult;
  try {
    result = await send();
  } catch (error) {
    console.error(crashLine(error as Error));
    result = { is: 'failed', reason: 'internal error; see the log' };
  }
  return { kind, claimed, host, began, ended: Date.now(), result };
}

export interface OutboxStatus {
  /** Milliseconds until an e-mail and a call is due; infinity when there is none. */
  nextMail: number;
  nextCall: number;
  isMailLate: boolean;
  isCallLate: boolean;
  /** How many e-mails wait, if that is to be logged now. */
  toWarn: number | undefined;
}

export type Ask = (message: Message) => Promise<Result<Row[], Failure>>;

export class Outbox {
  readonly #ask: Ask;
  readonly #log: (line: object) => void;
  #unsettled: Attempt[] = [];

  constructor(ask: Ask, log: (line: object) => void) {
    this.#ask = ask;
    this.#log = log;
  }

  get hasUnsettled(): boolean {
    return this.#unsettled.length > 0;
  }

  async claimMails(most: MailClaim): Promise<ClaimedMail[]> {
    type Row = Claimed & Omit<ClaimedMail, 'account' | 'to'> & { account_id: string | null; address: string };
    const rows = await this.#claim<Row>(claimMailsMessage(most));
    return rows.map(({ id, claim, attempt, message, account_id, address, body, link }) => ({
      ...{ id: String(id), claim, attempt, message, body, link },
      account: account_id,
      to: address,
    }));
  }

  async claimCalls(most: number): Promise<ClaimedCall[]> {
    const rows = await this.#claim<ClaimedCall & { claimed_at: number }>(claimCallsMessage(most));
    return rows.map(({ id, claim, attempt, url, secrets, event, claimed_at }) => ({
      ...{ id: String(id), claim, attempt, url, secrets, event },
      claimedAt: claimed_at * 1000,
    }));
  }

  async #claim<T>(message: Message): Promise<T[]> {
    const rows = await this.#ask(message);
    return rows.ok ? JSON.parse(rows.value[0]?.['claimed'] ?? '[]') : [];
  }

  /**
   * Settles this with what could not be settled before, while the database was away: until its lease ends nobody else sends
   * it. One that the database refuses is left alone, so that the others are settled.
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
      const rows = new Map(settled.value.map(row => [row['id'], row]));
      for (const attempt of attempts) {
        this.#log(lineOf(attempt, rows.get(attempt.claimed.id)));
      }
    } else if (!isRefusal(settled.failure)) {
      this.#unsettled.push(...attempts);
    }
    return settled;
  }

  /** `canMail` false: asks for a warning that e-mails wait. */
  async status(canMail: boolean): Promise<Result<OutboxStatus, Failure>> {
    const rows = await this.#ask(deliveryStatusMessage(canMail));
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
      toWarn: row['to_warn'] ? Number(row['to_warn']) : undefined,
    });
  }
}

/** Two that settled at the same time may have met (class 40), and a statement may have taken too long on a bad day. */
const isRefusal = (failure: Failure): boolean =>
  failure.is === 'database' && !/^(?:40|55P03|57014)/.test(failure.sqlstate);

const settlementOf = ({
  claimed: { id, claim },
  result: { is, reason, retryAfter },
}: Attempt): Settlement => ({
  id,
  claim,
  outcome: is,
  reason,
  retry_after: retryAfter,
});

/** Returns the attempt's line of the log; `row` is undefined when it was claimed again before it was settled. */
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
