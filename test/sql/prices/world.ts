/** A quote in the database, what each side last read of it, and the requests of all as the service sends them. */
import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { aQuote } from '../../setup/rows.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from '../roles.ts';
import type { Action, Side, Write } from './actions.ts';
import { type Event, isSame, Model, type QuoteRow } from './model.ts';
import { judge, Known } from './oracle.ts';

/** What a request is refused with: the rules of moves, the columns that are closed, missing prices. */
const refusals = ['PT409', '42501', '23514'];

/** The columns that a rule may change besides what a request names. */
const decided = ['status', 'unit_price', 'total_price', 'currency', 'expires_at', 'fulfillment_status'];

/** The statuses in which a page that offers this move shows the quote. */
const shownBefore: Record<string, string[]> = {
  approved: ['quoted'],
  ordered: ['quoted', 'approved', 'ordered'],
};

export class World {
  readonly #sql: Sql;
  readonly #account: string;
  readonly #id: string;
  readonly #seen: Partial<Record<Side, QuoteRow>> = {};
  /** The status in which each side last read it. */
  readonly #read: Partial<Record<Side, string>> = {};
  readonly #known = new Known();
  readonly #model = new Model();

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
    if (action.is === 'sweep') {
      await this.#sweep();
      const after = await this.#row();
      this.#note('service', before, after);
      return { status: after.status, wrong: await this.#compareHistory() };
    }
    const outcome = await this.#write(action);
    const after = await this.#row();
    if (outcome === 'not sent') {
      return {};
    }
    const expected = this.#model.apply(action, before);
    if (outcome !== 'no row' && (expected === undefined) !== (outcome === 'refused')) {
      return { wrong: `${outcome}, but the rules say ${expected ? 'written' : 'refused'}` };
    }
    if (outcome !== 'written' || expected === undefined) {
      return { wrong: isSame(before, after) ? undefined : 'changed by a refused request' };
    }
    const other = decided.filter(name => !isSame(expected[name], after[name]));
    if (other.length > 0) {
      return { wrong: `${other.join()} differ from what the rules say` };
    }
    const { side, values, naming } = action;
    const seen = this.#seen[side];
    const isKnown = this.#known.isContentOf(before);
    const wrong = judge({ side, naming, values, before, after, seen, isKnown });
    if (seen) {
      this.#seen[side] = { ...seen, ...values, updated_at: seen['updated_at'] };
    }
    this.#note(side, before, after);
    return { status: after.status, wrong: wrong ?? (await this.#compareHistory()) };
  }

  #note(side: Side, before: QuoteRow, after: QuoteRow): void {
    this.#known.note(before, after);
    this.#model.note(side, before, after);
  }

  async #row(): Promise<QuoteRow> {
    const [row] = await this.#sql<{ row: QuoteRow }[]>`
      select to_jsonb(quotes) as row from builder.quotes where id = ${this.#id}`;
    return row?.row as QuoteRow;
  }

  /** Returns how the history differs from what the sentences say. */
  async #compareHistory(): Promise<string | undefined> {
    const events = await this.#sql<Event[]>`
      select event, created_as as "as", previous_status as previous, offer from builder.quote_events
      where quote_id = ${this.#id} order by id`;
    const [offers] = await this.#sql<{ terms: unknown[] }[]>`
      select coalesce(json_agg(json_build_array(
        unit_price, total_price, currency, product_id, design_id, sport, customization, colors, roster_count,
        size_breakdown, rush_order
      ) order by number), '[]') as terms from builder.quote_offers where quote_id = ${this.#id}`;
    if (!isSame([...events], this.#model.events)) {
      return `events ${JSON.stringify(events)}, not ${JSON.stringify(this.#model.events)}`;
    }
    return isSame(offers?.terms, this.#model.offers)
      ? undefined
      : `offers ${JSON.stringify(offers?.terms)}, not ${JSON.stringify(this.#model.offers)}`;
  }

  async #sweep(): Promise<void> {
    await this.#sql`update builder.quotes set expires_at = '2020-01-01' where id = ${this.#id}`;
    await this.#sql`select builder.expire_quotes(10)`;
    await this.#sql`update builder.quotes set expires_at = null where id = ${this.#id}`;
  }

  async #write(action: Write): Promise<'not sent' | 'refused' | 'no row' | 'written'> {
    const { side, values } = action;
    const read = this.#read[side];
    // A page offers what it shows: nobody writes to what was not read, nor approves or orders what was read without its offer.
    if (read === undefined || shownBefore[String(values['status'])]?.includes(read) === false) {
      return 'not sent';
    }
    const as = side === 'customer' ? asCustomer : asStaff;
    const claims = side === 'service' ? {} : claimsOf(side === 'customer' ? this.#account : randomUUID());
    try {
      const count = await as(this.#sql, claims, transaction => this.#send(transaction, action));
      return count === 0 ? 'no row' : 'written';
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && refusals.includes(String(error.code)))) {
        throw error;
      }
      return 'refused';
    }
  }

  async #send(transaction: TransactionSql, { side, naming, rows, values }: Write): Promise<number> {
    const seen = this.#seen[side];
    await transaction`select set_config('request.rows', ${rows}, true),
      set_config('request.columns', ${Object.keys(values).join()}, true)`;
    if (naming === 'version') {
      await transaction`select set_config('request.version', 'compared', true)`;
      const named = transaction`and target.updated_at = ${String(seen?.['updated_at'])}::text::timestamptz`;
      return update(transaction, 'quotes', this.#id, values, named);
    }
    if (naming === 'price') {
      await transaction`select set_config('request.price', 'compared', true)`;
      const named = transaction`and target.total_price = ${String(seen?.['total_price'] ?? 0)}::text::numeric`;
      return update(transaction, 'quotes', this.#id, values, named);
    }
    return update(transaction, 'quotes', this.#id, values);
  }
}
