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

/** Seconds until something is due, or undefined; the age of what is, and how many e-mails wait. */
export interface OutboxState {
  next: number | undefined;
  late: number;
  mails: number;
}

export class Outbox {
  readonly #ask: Ask;
  #unsettled: Settlement[] = [];

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async claim(request: ClaimRequest): Promise<{ mails: ClaimedMail[]; calls: ClaimedCall[] }> {
    const rows = await this.#ask(claimMessage(request));
    return readClaimed(rows.ok ? (rows.value[0]?.['claimed'] ?? '[]') : '[]');
  }

  /**
   * Settles this with what could not be settled before, while the database was away. What is never settled is due again when
   * its lease ends.
   */
  async settle(...settlements: Settlement[]): Promise<void> {
    const all = [...this.#unsettled.splice(0), ...settlements];
    const settled = all.length === 0 ? ok([]) : await this.#ask(settleMessage(all));
    if (!settled.ok) {
      this.#unsettled.push(...all);
    }
  }

  async state(): Promise<Result<OutboxState, Failure>> {
    const rows = await this.#ask(deliveryStateMessage());
    if (!rows.ok) {
      return rows;
    }
    const [{ next, late, mails } = {}] = rows.value;
    return ok({
      next: next == null ? undefined : Number(next),
      late: Number(late ?? 0),
      mails: Number(mails ?? 0),
    });
  }
}
