/** A quote in the database, what each side last read of it, and the requests of both as the service sends them. */
import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { aQuote } from '../../setup/rows.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from '../roles.ts';
import type { Action, Side, Write } from './actions.ts';
import { History, judge, type QuoteRow } from './oracle.ts';

/** What a request is refused with: the rules of moves, the columns that are closed, missing prices. */
const refusals = ['PT409', '42501', '23514'];

export class World {
  readonly #sql: Sql;
  readonly #account: string;
  readonly #id: string;
  readonly #seen: Partial<Record<Side, QuoteRow>> = {};
  /** The status in which each side last read it. */
  readonly #read: Partial<Record<Side, string>> = {};
  readonly #history = new History();

  private constructor(sql: Sql, account: string, id: string) {
    this.#sql = sql;
    this.#account = account;
    this.#id = id;
  }

  static async make(sql: Sql): Promise<World> {
    const account = randomUUID();
    return new World(sql, account, await insert(sql, 'quotes', aQuote(account, { roster_count: 5 })));
  }

  async remove(): Promise<void> {
    await this.#sql`delete from builder.quotes where id = ${this.#id}`;
  }

  /** Does it, and returns the status that a change left, and what was wrong with that. */
  async do(action: Action): Promise<{ status?: string; wrong?: string | undefined }> {
    const before = await this.#row();
    if (action.is === 'read') {
      this.#seen[action.side] = before;
      this.#read[action.side] = before.status;
      return {};
    }
    await (action.is === 'sweep' ? this.#sweep() : this.#write(action));
    const after = await this.#row();
    if (before['updated_at'] === after['updated_at']) {
      return {};
    }
    const { status } = after;
    if (action.is === 'sweep') {
      this.#history.note('sweep', before, after);
      return { status };
    }
    const { side, values, naming } = action;
    const seen = this.#seen[side];
    const wrong = judge({ side, naming, values, before, after, seen, isPlain: this.#history.isPlain });
    if (seen) {
      this.#seen[side] = { ...seen, ...values, updated_at: seen['updated_at'] };
    }
    this.#history.note(side, before, after);
    return { status, wrong };
  }

  async #row(): Promise<QuoteRow> {
    const [row] = await this.#sql<{ row: QuoteRow }[]>`
      select to_jsonb(quotes) as row from builder.quotes where id = ${this.#id}`;
    return row?.row as QuoteRow;
  }

  async #sweep(): Promise<void> {
    await this.#sql`update builder.quotes set expires_at = '2020-01-01' where id = ${this.#id}`;
    await this.#sql`select builder.expire_quotes(10)`;
    await this.#sql`update builder.quotes set expires_at = null where id = ${this.#id}`;
  }

  async #write(action: Write): Promise<void> {
    const { side, values } = action;
    const read = this.#read[side];
    // A page offers what it shows: nobody writes to what was not read, nor approves what was not read as quoted.
    if (values['status'] === 'approved' ? read !== 'quoted' : read === undefined) {
      return;
    }
    const [as, claims] =
      side === 'customer'
        ? ([asCustomer, claimsOf(this.#account)] as const)
        : ([asStaff, claimsOf(randomUUID())] as const);
    try {
      await as(this.#sql, claims, transaction => this.#send(transaction, action));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && refusals.includes(String(error.code)))) {
        throw error;
      }
    }
  }

  async #send(transaction: TransactionSql, { side, naming, values }: Write): Promise<void> {
    const seen = this.#seen[side];
    let named = transaction``;
    if (naming === 'version') {
      await transaction`select set_config('request.version', 'compared', true)`;
      named = transaction`and target.updated_at = ${String(seen?.['updated_at'])}::text::timestamptz`;
    }
    if (naming === 'price') {
      await transaction`select set_config('request.price', 'compared', true)`;
      named = transaction`and target.total_price = ${String(seen?.['total_price'] ?? 0)}::text::numeric`;
    }
    await update(transaction, 'quotes', this.#id, values, named);
  }
}
