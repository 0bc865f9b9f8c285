/** Quotes of a customer in the database of a test file, and the changes that it and staff make to them in SQL. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import { type TestDatabase, useDatabase } from '../setup/database.ts';
import { aQuote } from '../setup/rows.ts';
import { type As, asCustomer, claimsOf, insert, update } from './roles.ts';

export const statuses = quotes.columns.status.type.values ?? [];
export const prices = { unit_price: 10, total_price: 100 };

type Row = Record<string, string | null>;

class Quotes {
  readonly account = randomUUID();
  readonly team = randomUUID();
  readonly customer = claimsOf(this.account, this.team);
  readonly staff = claimsOf(randomUUID());
  readonly #database: TestDatabase;

  constructor(database: TestDatabase) {
    this.#database = database;
  }

  get sql() {
    return this.#database.sql;
  }

  /** Inserts a quote with a price, as the owner of the database does. */
  make = (status: string, more: object = {}): Promise<string> =>
    insert(this.sql, 'quotes', aQuote(this.account, { status, ...prices, ...more }));

  /** The customer inserts a quote. */
  create = (more: object = {}): Promise<string> =>
    asCustomer(this.sql, this.customer, as => insert(as, 'quotes', aQuote(this.account, more)));

  async read(id: string): Promise<Row> {
    const rows = await this.sql<{ row: Row }[]>`
      select to_jsonb(quotes) as row from builder.quotes where id = ${id}`;
    return rows[0]?.row ?? {};
  }

  change = (as: As, id: string, values: object): Promise<number> =>
    as(this.sql, as === asCustomer ? this.customer : this.staff, own =>
      update(own, 'quotes', id, { ...values }),
    );

  /** Changes a row and returns it, with `now` as the database's clock said in that transaction. */
  async changeAndRead(as: As, id: string, values: object): Promise<Row> {
    const now = await as(this.sql, as === asCustomer ? this.customer : this.staff, async own => {
      expect(await update(own, 'quotes', id, { ...values })).toBe(1);
      return (await own<{ now: string }[]>`select to_jsonb(now()) #>> '{}' as now`)[0]?.now ?? '';
    });
    return { ...(await this.read(id)), now };
  }
}

export const useQuotes = (): Quotes => new Quotes(useDatabase());
