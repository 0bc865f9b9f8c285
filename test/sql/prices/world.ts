/** A quote in the database, what each side has read of it, and the requests of all as the service sends them. */
import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { aQuote } from '../../setup/rows.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from '../roles.ts';
import type { Action, NameColumn, Side, Write } from './actions.ts';
import { designNames, type Event, isSame, Model, type QuoteRow, type Resolved, termNames } from './model.ts';
import { judge, type Reading, shownBefore } from './oracle.ts';

/** What a request is refused with: the rules of moves, the columns that are closed, missing prices. */
const refusals = ['PT409', '42501', '23514'];

/** The columns that a rule may change besides what a request names. */
const decided = [
  ...['status', 'unit_price', 'total_price', 'currency', 'expires_at', 'fulfillment_status'],
  ...['roster_count', 'customization', 'customer_notes', 'preview_front_url', 'tool_2d'],
];

/** A request as it is sent, with the reading that it names. */
interface Sent extends Write {
  reading: Reading;
  /** The values of the columns that name something, as they were read. */
  given: Partial<Record<NameColumn, unknown>>;
}

export class World {
  readonly #sql: Sql;
  readonly #account: string;
  readonly #id: string;
  readonly #readings: Record<Side, Reading[]> = { customer: [], staff: [], service: [] };
  readonly #model = new Model();
  /** As it is now. */
  #row: QuoteRow = { status: '' };
  /** Staff have changed the design since it was submitted. */
  #isRedesigned = false;

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
    world.#model.note('customer', new Set(), undefined, world.#row);
    return world;
  }

  async remove(): Promise<void> {
    await this.#sql`delete from builder.quotes where id = ${this.#id}`;
  }

  /** Does it, and returns the status that a change left, and what was wrong with that. */
  async do(action: Action): Promise<{ status?: string; wrong?: string | undefined }> {
    const before = this.#row;
    if (action.is === 'read') {
      this.#readings[action.side].push({ row: before, showsOnlyVersion: false });
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
    if (reading === undefined || shown?.includes(reading.row.status) === false) {
      return undefined;
    }
    const names = write.names.filter(name => !Object.hasOwn(write.values, name));
    const given = Object.fromEntries(names.map(name => [name, reading.row[name]]));
    // An API compares what a customer may not write before the rules see it.
    const body = write.where === 'body' ? { ...write.values, ...given } : write.values;
    const isOther = ['total_price', 'quoted_at'].some(
      name => name in body && !isSame(Object(body)[name] ?? null, before[name]),
    );
    return write.side === 'customer' && isOther ? undefined : { ...write, reading, given };
  }

  async #do(sent: Sent, before: QuoteRow): Promise<{ status?: string; wrong?: string | undefined }> {
    const outcome = await this.#write(sent);
    const after = await this.#read();
    this.#row = after;
    const { side, values } = sent;
    const resolved = resolve(sent, before);
    const { named } = resolved;
    const isUnoffered =
      !isSame(termsOf(before), termsOf(after)) ||
      !this.#model.offers.some(offer => isSame(offer, termsOf(after)));
    const expected = this.#model.apply(resolved, before);
    if (outcome !== 'no row' && (expected === undefined) !== (outcome === 'refused')) {
      return {
        wrong: `${outcome}, but the rules say ${expected ? 'written' : 'refused'}: ${JSON.stringify(sent)}`,
      };
    }
    if (outcome !== 'written' || expected === undefined) {
      return { wrong: isSame(before, after) ? undefined : 'changed by a refused request' };
    }
    const other = decided.filter(name => !isSame(expected[name], after[name]));
    const stamps = ['quoted_at', 'submitted_at'].filter(name =>
      expected[name] === 'now'
        ? after[name] === null || isSame(after[name], before[name])
        : !isSame(expected[name], after[name]),
    );
    const deleted = (expected['deleted_at'] === null) !== (after['deleted_at'] === null);
    if (other.length + stamps.length > 0 || deleted) {
      return {
        wrong: `${[...other, ...stamps, deleted && 'deleted_at'].join()} differ from what the rules say`,
      };
    }
    const readings = [...this.#readings[side].filter(one => one !== sent.reading), sent.reading];
    const isRedesigned = this.#isRedesigned;
    const wrong = judge({ side, named, values, before, after, readings, isRedesigned, isUnoffered });
    this.#model.note(side, named, before, after);
    this.#isRedesigned =
      after.status === 'submitted' && before.status !== after.status
        ? false
        : isRedesigned ||
          (side !== 'customer' && designNames.some(name => !isSame(before[name], after[name])));
    if (sent.shows === 'updated_at') {
      const row = { ...sent.reading.row, updated_at: after['updated_at'] };
      this.#readings[side].push({ row, showsOnlyVersion: true });
    }
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
    this.#model.note('service', new Set(), before, this.#row);
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

  async #send(transaction: TransactionSql, { side, where, rows, values, given }: Sent): Promise<number> {
    const body = where === 'body' ? { ...values, ...given } : values;
    const compared =
      where === 'filter' ? Object.keys(given).filter(name => Object(given)[name] !== null) : [];
    await transaction`select set_config('request.rows', ${rows}, true),
      set_config('request.columns', ${Object.keys(body).join()}, true),
      set_config('request.compared', ${compared.join()}, true)`;
    const { total_price, quoted_at, ...ofCustomer } = body as Record<string, unknown>;
    const set = side === 'customer' ? ofCustomer : (body as Record<string, unknown>);
    if (Object.keys(set).length === 0) {
      return 0;
    }
    const text = JSON.stringify(Object.fromEntries(compared.map(name => [name, Object(given)[name]])));
    const conditions = compared.map(
      name => transaction` and target.${transaction(name)} = named.${transaction(name)}`,
    );
    const named = transaction`and exists (
      select from json_populate_record(null::builder.quotes, ${text}::text::json) named where true${conditions})`;
    return update(transaction, 'quotes', this.#id, set, compared.length > 0 ? named : transaction``);
  }
}

const termsOf = (row: QuoteRow): unknown[] => termNames.map(name => row[name]);

/** Returns what a request names of the row as that is, and what it sends otherwise. */
function resolve({ side, rows, where, values, given }: Sent, before: QuoteRow): Resolved {
  const names = (Object.keys(given) as NameColumn[]).filter(name => where === 'body' || given[name] !== null);
  const isStored = (name: NameColumn): boolean => isSame(given[name], before[name]);
  const own: NameColumn[] =
    'total_price' in values &&
    values['total_price'] !== null &&
    isSame(values['total_price'], before['total_price'])
      ? ['total_price']
      : [];
  const isOne = rows === 'one';
  const stored = names.filter(name => given[name] !== null && isStored(name));
  return {
    side,
    rows,
    values:
      where === 'body' && 'total_price' in given ? { ...values, total_price: given.total_price } : values,
    named: new Set(isOne ? [...stored, ...own] : []),
    others: new Set(isOne && where === 'body' ? names.filter(name => !isStored(name)) : []),
  };
}
