/** Two quotes in the database, what each side last read of them, and the requests of both as the service sends them. */
import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { aQuote } from '../../setup/rows.ts';
import { asCustomer, asStaff, claimsOf, insert } from '../roles.ts';
import { type Action, type QuoteIndex, quoteIndexes, type Side, type Write } from './actions.ts';
import { History, judge, type QuoteRow } from './oracle.ts';

/** What a request is refused with: the rules of moves, the columns that are closed, missing prices. */
const refusals = ['PT409', '42501', '23514'];

/**
 * Whether a write meets one row by its key. As in the service, a time or a price names nothing without that: quotes that were
 * written together have the same time.
 */
const identifies = ({ addressing }: Write): boolean => addressing === 'id';

export class World {
  readonly #sql: Sql;
  readonly #account = randomUUID();
  readonly #number: string;
  readonly #ids: string[] = [];
  readonly #seen: Record<Side, (QuoteRow | undefined)[]> = { customer: [], staff: [] };
  /** The statuses in which each side last read them. */
  readonly #read: Record<Side, (string | undefined)[]> = { customer: [], staff: [] };
  readonly #histories = quoteIndexes.map(() => new History());

  private constructor(sql: Sql, number: string) {
    this.#sql = sql;
    this.#number = number;
  }

  static async make(sql: Sql): Promise<World> {
    const world = new World(sql, `QT-2026-${String(Math.floor(Math.random() * 1e5)).padStart(5, '0')}`);
    for (const _ of quoteIndexes) {
      const row = aQuote(world.#account, { quote_number: world.#number, roster_count: 5 });
      world.#ids.push(await insert(sql, 'quotes', row));
    }
    return world;
  }

  async remove(): Promise<void> {
    await this.#sql`delete from builder.quotes where id = any (${this.#ids})`;
  }

  /** Does it, and returns what was wrong with that. */
  async do(action: Action): Promise<{ done: string[]; wrong: string | undefined }> {
    if (action.is === 'read') {
      const row = (await this.#rows())[action.quote];
      this.#seen[action.side][action.quote] = row;
      this.#read[action.side][action.quote] = row?.status;
      return { done: [], wrong: undefined };
    }
    const before = await this.#rows();
    await (action.is === 'sweep' ? this.#sweep(action.quote) : this.#write(action));
    const after = await this.#rows();
    const done: string[] = [];
    let wrong: string | undefined;
    for (const quote of quoteIndexes) {
      const [old, now] = [before[quote], after[quote]];
      if (!old || !now || old['updated_at'] === now['updated_at']) {
        continue;
      }
      done.push(now.status);
      const history = this.#histories[quote] as History;
      if (action.is === 'write') {
        const { side, values } = action;
        const naming = identifies(action) ? action.naming : 'nothing';
        const seen = this.#seen[side][quote];
        wrong ??= judge({ side, naming, values, before: old, after: now, seen, isPlain: history.isPlain });
        this.#seen[side][quote] = seen && { ...seen, ...values, updated_at: seen['updated_at'] };
      }
      history.note(action.is === 'sweep' ? 'sweep' : action.side, old, now);
    }
    return { done, wrong };
  }

  async #rows(): Promise<QuoteRow[]> {
    const rows = await this.#sql<{ row: QuoteRow }[]>`
      select to_jsonb(quotes) as row from builder.quotes where id = any (${this.#ids}) order by array_position(${this.#ids}, id::text)`;
    return rows.map(({ row }) => row);
  }

  async #sweep(quote: QuoteIndex): Promise<void> {
    const id = this.#ids[quote] ?? '';
    await this.#sql`update builder.quotes set expires_at = '2020-01-01' where id = ${id}`;
    await this.#sql`select builder.expire_quotes(10)`;
    await this.#sql`update builder.quotes set expires_at = null where id = ${id}`;
  }

  /** A page offers what it shows: nobody writes to what was not read, nor approves what was not read as quoted. */
  #offers({ side, quote, addressing, values }: Write): boolean {
    const named = addressing === 'keys' ? quoteIndexes : [quote];
    const isApproval = 'status' in values && values['status'] === 'approved';
    return named
      .map(one => this.#read[side][one])
      .every(read => (isApproval ? read === 'quoted' : read !== undefined));
  }

  async #write(action: Write): Promise<void> {
    if (!this.#offers(action)) {
      return;
    }
    const isCustomer = action.side === 'customer';
    const as = isCustomer ? asCustomer : asStaff;
    const claims = isCustomer ? claimsOf(this.#account) : claimsOf(randomUUID());
    try {
      await as(this.#sql, claims, transaction => this.#send(transaction, action));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && refusals.includes(String(error.code)))) {
        throw error;
      }
    }
  }

  async #send(transaction: TransactionSql, action: Write): Promise<void> {
    const { side, quote, naming, addressing, values } = action;
    const seen = this.#seen[side][quote];
    const conditions = [
      addressing === 'id'
        ? transaction`quotes.id = ${this.#ids[quote] ?? ''}`
        : transaction`quotes.quote_number = ${this.#number}`,
    ];
    if (naming === 'version') {
      await transaction`select set_config('request.version', ${identifies(action) ? 'compared' : ''}, true)`;
      conditions.push(transaction`quotes.updated_at = ${String(seen?.['updated_at'])}::text::timestamptz`);
    }
    if (naming === 'price') {
      await transaction`select set_config('request.price', ${identifies(action) ? 'compared' : ''}, true)`;
      conditions.push(transaction`quotes.total_price = ${String(seen?.['total_price'] ?? 0)}::text::numeric`);
    }
    if (addressing !== 'id') {
      const rows = addressing === 'keys' ? 'keyed' : 'filtered';
      await transaction`select set_config('request.rows', ${rows}, true)`;
    }
    const assignments = Object.keys(values).map(
      name => transaction`${transaction(name)} = given.${transaction(name)}`,
    );
    const separated = assignments.flatMap((one, index) => (index > 0 ? [transaction`, `, one] : [one]));
    const where = conditions.flatMap((one, index) => (index > 0 ? [transaction` and `, one] : [one]));
    await transaction`
      update builder.quotes set ${separated}
      from json_populate_record(null::builder.quotes, ${JSON.stringify(values)}::text::json) given
      where ${where}`;
  }
}
