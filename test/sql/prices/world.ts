/** A quote in the database, what each side has read of it, and the requests of all as the service sends them. */
import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { aQuote } from '../../setup/rows.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from '../roles.ts';
import type { Action, Naming, Side, Write } from './actions.ts';
import { type Event, isSame, Model, type QuoteRow, type Resolved, termNames } from './model.ts';
import { judge, shownBefore } from './oracle.ts';

/** What a request is refused with: the rules of moves, the columns that are closed, missing prices. */
const refusals = ['PT409', '42501', '23514'];

/** The columns that a rule may change besides what a request names. */
const decided = [
  ...['status', 'unit_price', 'total_price', 'currency', 'expires_at', 'fulfillment_status'],
  ...['roster_count', 'customization', 'customer_notes', 'preview_front_url', 'tool_2d'],
];

/** A request as it is sent, with the reading that it names. */
interface Sent extends Write {
  reading: QuoteRow;
}

export class World {
  readonly #sql: Sql;
  readonly #account: string;
  readonly #id: string;
  readonly #readings: Record<Side, QuoteRow[]> = { customer: [], staff: [], service: [] };
  readonly #model = new Model();
  /** As it is now. */
  #row: QuoteRow = { status: '' };

  private constructor(sql: Sql, account: string, id: string) {
    this.#sql = sql;
    this.#account = account;
    this.#id = id;
  }

  /** Its customer makes the quote. */
  static async make(sql: Sql, status: string): Promise<World> {
    const account = randomUUID();
    const row = aQuote(account, { roster_count: 5, status });
    const id = await asCustomer(sql, claimsOf(account), own => insert(own, 'quotes', row));
    const world = new World(sql, account, id);
    world.#row = await world.#read();
    world.#model.note('customer', 'nothing', undefined, world.#row);
    return world;
  }

  async remove(): Promise<void> {
    await this.#sql`delete from builder.quotes where id = ${this.#id}`;
  }

  /** Does it, and returns the status that a change left, and what was wrong with that. */
  async do(action: Action): Promise<{ status?: string; wrong?: string | undefined }> {
    const before = this.#row;
    if (action.is === 'read') {
      this.#readings[action.side].push(before);
      return {};
    }
    if (action.is === 'sweep') {
      return this.#sweep(before);
    }
    const sent = this.#asSent(action, before);
    return sent === undefined ? {} : this.#do(sent, before);
  }

  /** Returns the request with what its body names, or undefined when its page does not offer it. */
  #asSent(write: Write, before: QuoteRow): Sent | undefined {
    const readings = this.#readings[write.side];
    const reading = write.isStale ? readings[0] : readings.at(-1);
    const shown = shownBefore[String(write.values['status'])];
    // A page offers what it shows: nobody writes to what was not read, nor approves or orders what was read without its offer.
    if (reading === undefined || shown?.includes(reading.status) === false) {
      return undefined;
    }
    const values = { ...write.values };
    if (write.naming === 'price in the body') {
      values['total_price'] ??= reading['total_price'];
    }
    // An API compares what a customer may not write before the rules see it.
    const isOther =
      write.side === 'customer' && !isSame(values['total_price'] ?? null, before['total_price']);
    return 'total_price' in values && isOther ? undefined : { ...write, values, reading };
  }

  async #do(sent: Sent, before: QuoteRow): Promise<{ status?: string; wrong?: string | undefined }> {
    const outcome = await this.#write(sent);
    const after = await this.#read();
    this.#row = after;
    const { side, values, naming } = sent;
    const named = namedOf(naming, sent, before);
    const expected = this.#model.apply({ ...sent, named }, before);
    if (outcome !== 'no row' && (expected === undefined) !== (outcome === 'refused')) {
      return {
        wrong: `${outcome}, but the rules say ${expected ? 'written' : 'refused'}: ${JSON.stringify(sent)}`,
      };
    }
    if (outcome !== 'written' || expected === undefined) {
      return { wrong: isSame(before, after) ? undefined : 'changed by a refused request' };
    }
    const other = decided.filter(name => !isSame(expected[name], after[name]));
    const stamps = ['quoted_at', 'deleted_at'].filter(
      name => (expected[name] === null) !== (after[name] === null),
    );
    if (other.length + stamps.length > 0) {
      return { wrong: `${[...other, ...stamps].join()} differ from what the rules say` };
    }
    const readings = [...this.#readings[side].filter(one => one !== sent.reading), sent.reading];
    const wrong = judge({ side, named, values, before, after, readings });
    this.#model.note(side, named, before, after);
    return { status: after.status, wrong };
  }

  async #read(): Promise<QuoteRow> {
    const [row] = await this.#sql<{ row: QuoteRow }[]>`
      select to_jsonb(quotes) as row from builder.quotes where id = ${this.#id}`;
    return row?.row as QuoteRow;
  }

  /** Returns how the history differs from what the sentences say. */
  async compareHistory(): Promise<string | undefined> {
    const events = await this.#sql<Event[]>`
      select event, created_as as "as", previous_status as previous, offer, design_digest is not null as "hasDigest"
      from builder.quote_events where quote_id = ${this.#id} order by id`;
    const [offers] = await this.#sql<{ terms: unknown[] }[]>`
      select coalesce(json_agg(json_build_array(${this.#sql(termNames)}) order by number), '[]') as terms from builder.quote_offers where quote_id = ${this.#id}`;
    if (!isSame([...events], this.#model.events)) {
      return `events ${JSON.stringify(events)}, not ${JSON.stringify(this.#model.events)}`;
    }
    return isSame(offers?.terms, this.#model.offers)
      ? undefined
      : `offers ${JSON.stringify(offers?.terms)}, not ${JSON.stringify(this.#model.offers)}`;
  }

  /** The sweep expires the quote if its end has passed. */
  async #sweep(before: QuoteRow): Promise<{ status: string }> {
    await this.#sql`select builder.expire_quotes(10)`;
    this.#row = await this.#read();
    this.#model.note('service', 'nothing', before, this.#row);
    return { status: this.#row.status };
  }

  async #write(sent: Sent): Promise<'refused' | 'no row' | 'written'> {
    const { side } = sent;
    const as = side === 'customer' ? asCustomer : asStaff;
    const claims = side === 'service' ? {} : claimsOf(side === 'customer' ? this.#account : randomUUID());
    try {
      const count = await as(this.#sql, claims, transaction => this.#send(transaction, sent));
      return count === 0 ? 'no row' : 'written';
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && refusals.includes(String(error.code)))) {
        throw error;
      }
      return 'refused';
    }
  }

  async #send(transaction: TransactionSql, { side, naming, rows, values, reading }: Sent): Promise<number> {
    const body = naming === 'version in the body' ? { ...values, updated_at: reading['updated_at'] } : values;
    await transaction`select set_config('request.rows', ${rows}, true),
      set_config('request.columns', ${Object.keys(body).join()}, true),
      set_config('request.version', ${naming === 'version' ? 'compared' : ''}, true),
      set_config('request.price', ${naming === 'price' ? 'compared' : ''}, true)`;
    const { total_price, ...ofCustomer } = body;
    const set = side === 'customer' ? ofCustomer : body;
    if (Object.keys(set).length === 0) {
      return 0;
    }
    if (naming === 'version') {
      const named = transaction`and target.updated_at = ${String(reading['updated_at'])}::text::timestamptz`;
      return update(transaction, 'quotes', this.#id, set, named);
    }
    if (naming === 'price') {
      const named = transaction`and target.total_price = ${String(reading['total_price'] ?? 0)}::text::numeric`;
      return update(transaction, 'quotes', this.#id, set, named);
    }
    return update(transaction, 'quotes', this.#id, set);
  }
}

/** Returns what a request names of the row as that is. A filter that names anything else meets no row. */
function namedOf(naming: Naming, { rows, reading, values }: Sent, before: QuoteRow): Resolved['named'] {
  if (naming === 'version' || naming === 'price') {
    return naming;
  }
  if (rows === 'filtered') {
    return 'nothing';
  }
  if (naming === 'version in the body' && isSame(reading['updated_at'], before['updated_at'])) {
    return 'version';
  }
  const hasPrice = before['total_price'] !== null && 'total_price' in values;
  return hasPrice && isSame(values['total_price'], before['total_price']) ? 'price' : 'nothing';
}
