/** Claims what is due and settles what was sent. */
import { ok, type Result } from '../common/result.ts';
import type { Row } from '../database/database.ts';
import type { Failure } from '../failure/failure.ts';
import {
  type ClaimRequest,
  claimMessage,
  deliveryStateMessage,
  type Settlement,
  settleMessage,
} from '../statement/delivery.ts';
import type { Message } from '../statement/sql.ts';
import { type ClaimedCall, type ClaimedMail, readClaimed } from './claimed.ts';

export type Ask = (message: Message) => Promise<Result<Row[], Failure>>;

export interface OutboxState {
  /** Seconds until one is due, or undefined. */
  next: { mail: number | undefined; call: number | undefined };
  /** Seconds for which the oldest that is due has been so. */
  late: { mail: number; call: number };
  /** How many e-mails wait. */
  mails: number;
}

export class Outbox {
  readonly #ask: Ask;
  #unsettled: Settlement[] = [];

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Whether the database has not been told of all that was sent. */
  get owes(): boolean {
    return this.#unsettled.length > 0;
  }

  async claim(request: ClaimRequest): Promise<{ mails: ClaimedMail[]; calls: ClaimedCall[] }> {
    const rows = await this.#ask(claimMessage(request));
    return readClaimed(rows.ok ? (rows.value[0]?.['claimed'] ?? '[]') : '[]');
  }

  /**
   * Settles this with what could not be settled before, while the database was away: until its lease ends nobody else sends
   * it. One that the database refuses is left alone, so that the others are settled.
   */
  async settle(...settlements: Settlement[]): Promise<void> {
    const all = [...this.#unsettled.splice(0), ...settlements];
    const settled = await this.#settleNow(all);
    if (!settled.ok && isRefusal(settled.failure) && all.length > 1) {
      for (const each of all) {
        await this.#settleNow([each]);
      }
    }
  }

  async #settleNow(settlements: Settlement[]): Promise<Result<unknown>> {
    if (settlements.length === 0) {
      return ok([]);
    }
    const settled = await this.#ask(settleMessage(settlements));
    if (!settled.ok && !isRefusal(settled.failure)) {
      this.#unsettled.push(...settlements);
    }
    return settled;
  }

  async state(): Promise<Result<OutboxState, Failure>> {
    const rows = await this.#ask(deliveryStateMessage());
    if (!rows.ok) {
      return rows;
    }
    const [row = {}] = rows.value;
    return ok({
      next: { mail: numberOf(row['next_mail']), call: numberOf(row['next_call']) },
      late: { mail: numberOf(row['late_mail']) ?? 0, call: numberOf(row['late_call']) ?? 0 },
      mails: numberOf(row['mails']) ?? 0,
    });
  }
}

const numberOf = (text: string | null | undefined): number | undefined =>
  text == null ? undefined : Number(text);

/** Two that settled at the same time may have met (class 40), and a statement may have taken too long on a bad day. */
const isRefusal = (failure: Failure): boolean =>
  failure.is === 'database' && !/^(?:40|55P03|57014)/.test(failure.sqlstate);
