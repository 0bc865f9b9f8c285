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
  /** Seconds until an e-mail and a call is due: less than nothing when it is late, and infinity when there is none. */
  mail: number;
  call: number;
  /** How many e-mails wait, if they were counted. */
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

  async state(counted: boolean): Promise<Result<OutboxState, Failure>> {
    const rows = await this.#ask(deliveryStateMessage(counted));
    if (!rows.ok) {
      return rows;
    }
    const [{ next_mail: mail, next_call: call, mails } = {}] = rows.value;
    return ok({
      mail: Number(mail ?? Number.POSITIVE_INFINITY),
      call: Number(call ?? Number.POSITIVE_INFINITY),
      mails: Number(mails ?? 0),
    });
  }
}

/** Two that settled at the same time may have met (class 40), and a statement may have taken too long on a bad day. */
const isRefusal = (failure: Failure): boolean =>
  failure.is === 'database' && !/^(?:40|55P03|57014)/.test(failure.sqlstate);
