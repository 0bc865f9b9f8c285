/** The rows of a fuzzed service, each with the mark of its owner. */

import type { Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { everyone } from '../../schema/everyone.ts';
import { quotes } from '../../schema/quotes.ts';
import { isOwned, may, type Row, sharedRowsOf } from '../setup/collection-rows.ts';
import type { Service } from '../setup/service.ts';
import { insert } from '../sql/roles.ts';
import {
  graphicId,
  internal,
  type Owner,
  owners,
  type Person,
  people,
  quoteId,
  quoteStatuses,
  rowId,
  system,
  withheld,
} from './world.ts';

const isSpecial = ({ name }: Collection): boolean => name === 'quotes' || name === 'graphics';
/** The collections whose rows are made from the schema alone. */
const others = collections.filter(collection => !isSpecial(collection));

const created = (index: number): string => new Date(Date.UTC(2026, 4, 20) - index * 3_600_000).toISOString();

/** A row with the mark in every text; what customers do not read has the staff's mark, or is left out. */
function markedRow(collection: Collection, mark: string, index: number, withInternal: boolean): Row {
  const row: Row = {};
  for (const [name, { type, nullable, default: initial, example, privileges }] of Object.entries(
    collection.columns,
  )) {
    const isText = /^(?:text|character varying)$/.test(type.postgres) && !type.values && !type.pattern;
    if (isText && privileges.customer.includes('select')) {
      row[name] = `${mark} ${name}`;
    } else if (isText && withInternal) {
      row[name] = `${internal} ${mark}`;
    } else if (type.postgres === 'boolean') {
      row[name] = index === 0;
    } else if (/^(?:created|updated)_at$/.test(name)) {
      row[name] = created(index);
    } else if (!nullable && initial === undefined) {
      row[name] = example;
    }
  }
  return row;
}

const ownedRow = (collection: Collection, owner: Owner, index: number, withInternal: boolean): Row => ({
  ...markedRow(collection, owner.mark, index, withInternal),
  [collection.primaryKey]: rowId(collection, owner, index),
  account_id: owner.account,
  ...('quote_id' in collection.columns && { quote_id: quoteId(owner, index) }),
  // Any: its row may be gone.
  ...('link_id' in collection.columns && { link_id: quoteId(owner, index) }),
});

/** The rows of no account, as far as somebody reads them or all are wanted. */
function sharedRows(collection: Collection, withInternal: boolean): Row[] {
  const isNumber = collection.columns[collection.primaryKey]?.type.postgres !== 'uuid';
  return sharedRowsOf(collection).flatMap(({ values, readBy }, index) => {
    const mark = readBy.includes('anon') ? 'Eagle' : readBy.includes('customer') ? system : withheld;
    const key = isNumber ? 7 + index : graphicId(index, readBy.length > 0);
    const row = { ...markedRow(collection, mark, 9, withInternal), [collection.primaryKey]: key, ...values };
    return readBy.length > 0 || withInternal ? [row] : [];
  });
}

/** Inserts the rows; with `only`, those that this person may see, without the columns hidden from it. */
export async function populate({ sql }: Service, only?: Person): Promise<void> {
  for (const owner of only ? people[only] : Object.values(owners)) {
    const { account, mark } = owner;
    const address = { street: mark, city: mark };
    for (const [index, status] of quoteStatuses.entries()) {
      await insert(sql, 'quotes', {
        ...markedRow(quotes, mark, index, !only),
        id: quoteId(owner, index),
        account_id: account,
        quote_number: `QT-${7000 + (owner.rosterCount % 100)}-0000${index}`,
        status,
        product_id: account,
        customization: { team: mark, numbers: [1, 2], [mark]: { deep: mark } },
        colors: { primary: mark },
        size_breakdown: { [mark]: 3 },
        shipping_address: address,
        billing_address: address,
        roster_count: owner.rosterCount,
        // A submission removes the prices, so what may be submitted has none.
        unit_price: index > 2 ? owner.price : null,
        total_price: index > 2 ? owner.price : null,
        submitted_at: status === 'draft' ? null : created(index),
        quoted_at: created(index),
        approved_at: created(index),
        expires_at: index < 4 ? '2036-01-01' : null,
        deleted_at: index === 1 ? created(index) : null,
        preview_front_url: `https://cdn.test/${mark}`,
        preview_back_url: `https://cdn.test/${mark}`,
        avatar_preview: `https://cdn.test/${mark}`,
        contact_email: `${mark}@example.com`,
        // Of an import nobody is told.
        source: 'csv_import',
      });
    }
    // The rows below have the history that is compared.
    await sql`delete from builder.quote_events where account_id = ${account}`;
    await sql`delete from builder.quote_offers where account_id = ${account}`;
    for (const collection of others.filter(isOwned)) {
      for (const index of [0, 1, 2]) {
        await insert(sql, collection.name, ownedRow(collection, owner, index, !only));
      }
    }
    await sql`insert into builder.idempotency_keys (caller, key, fingerprint, response)
      values (${`builder_customer ${account}`}, 'kept', 'of another request', ${sql.json({ body: mark, page_total: '1' })})`;
  }
  for (const collection of others) {
    for (const row of sharedRows(collection, !only)) {
      await insert(sql, collection.name, row);
    }
  }
  for (const index of [0, 1, 2, 3]) {
    for (const isOffered of only ? [true] : [true, false]) {
      const text = isOffered ? 'Eagle' : withheld;
      await insert(sql, 'graphics', {
        created_at: created(index),
        updated_at: created(index),
        id: graphicId(index, isOffered),
        name: `${text} ${index}`,
        code: `${isOffered ? 'EAGLE' : 'GONE'}-${index}`,
        file_url: `https://cdn.test/${text}.svg`,
        file_format: 'svg',
        description: text,
        tags: [text, 'bird'],
        is_active: isOffered || index > 1,
        deleted_at: isOffered || index < 2 ? null : created(index),
      });
    }
  }
}

const isWritable = (collection: Collection): boolean =>
  may(collection, 'customer', 'insert') ||
  may(collection, 'customer', 'update') ||
  collection.deletableBy.includes('customer');

const accounts = Object.values(owners).map(({ account }) => account);

/** Returns the rows of each collection that no customer may change. */
async function foreignRows({ sql }: Service): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const collection of collections) {
    const table = sql`builder.${sql(collection.name)}`;
    const key = sql(collection.primaryKey);
    if (isOwned(collection)) {
      found[collection.name] = await sql`
        select * from ${table} where account_id in (${owners.nobody.account}, ${everyone}) order by ${key}`;
      found[`accounts of ${collection.name}`] =
        await sql`select distinct account_id from ${table} where account_id <> all (${accounts}) order by 1`;
    } else if (!isWritable(collection)) {
      found[collection.name] = await sql`select * from ${table} order by ${key}`;
    }
  }
  return found;
}
/** The data that only staff may change: rows of others, the staff's columns, the graphics. */
export async function untouchable(service: Service): Promise<unknown> {
  const { sql } = service;
  const ours = Object.values(owners).flatMap(owner => quoteStatuses.map((_, index) => quoteId(owner, index)));
  const quoted = Object.values(owners).map(owner => quoteId(owner, quoteStatuses.indexOf('quoted')));
  const stamps = Object.values(owners).flatMap(() => quoteStatuses.map((_, index) => created(index)));
  const prices = Object.values(owners).map(({ price }) => price);
  return {
    ...(await foreignRows(service)),
    columns: await sql`
      select id, internal_notes, fulfillment_status
      from builder.quotes where id = any (${ours}) order by id`,
    // A move of a customer clears them.
    changedStamps: await sql`
      select id, quoted_at, quoted_by
      from builder.quotes join unnest(${ours}::uuid[], ${stamps}::timestamptz[]) as made (id, at) using (id)
      where quoted_by is not null or quoted_at <> at`,
    changedEnds: await sql`
      select id, expires_at from builder.quotes
      where id = any (${ours}) and expires_at <> timestamptz '2036-01-01 00:00Z'`,
    prices: await sql`
      select id, unit_price, total_price
      from builder.quotes where id = any (${ours}) and id <> all (${quoted}) order by id`,
    // A customer may ask for another price, which clears the offer, and may not change it.
    changedOffers: await sql`
      select id, unit_price, total_price, expires_at
      from builder.quotes join unnest(${quoted}::uuid[], ${prices}::numeric[]) as offer (id, price) using (id)
      where num_nonnulls(unit_price, total_price, expires_at) > 0
        and (unit_price, total_price, expires_at) is distinct from (price, price, timestamptz '2036-01-01 00:00Z')`,
    transitions: await sql`select * from builder.quote_transitions order by 1, 2`,
    keys: await sql`
      select * from builder.idempotency_keys
      where caller like ${`%${owners.nobody.account}`} or key = 'kept' order by caller, key`,
  };
}
