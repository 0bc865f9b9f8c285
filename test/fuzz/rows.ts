/** The rows of a fuzzed service, each with the mark of its owner. */
import type { Service } from '../setup/service.ts';
import {
  everyone,
  graphicId,
  internal,
  notificationId,
  owners,
  type Person,
  people,
  quoteId,
  quoteStatuses,
  system,
  withheld,
} from './world.ts';

/** Inserts the rows; with `only`, those that this person may see, without the columns hidden from it. */
export async function populate({ sql }: Service, only?: Person): Promise<void> {
  const created = (index: number) => new Date(Date.UTC(2026, 4, 20) - index * 3_600_000).toISOString();
  const times = (index: number) => ({ created_at: created(index), updated_at: created(index) });
  for (const owner of only ? people[only] : Object.values(owners)) {
    const { account, mark } = owner;
    const address = sql.json({ street: mark, city: mark });
    for (const [index, status] of quoteStatuses.entries()) {
      await sql`insert into builder.quotes ${sql({
        ...times(index),
        id: quoteId(owner, index),
        account_id: account,
        quote_number: `QT-${7000 + (owner.rosterCount % 100)}-0000${index}`,
        status,
        product_id: account,
        sport: mark,
        customization: sql.json({ team: mark, numbers: [1, 2], [mark]: { deep: mark } }),
        colors: sql.json({ primary: mark }),
        size_breakdown: sql.json({ [mark]: 3 }),
        shipping_address: address,
        billing_address: address,
        roster_count: owner.rosterCount,
        unit_price: owner.price,
        total_price: owner.price,
        submitted_at: status === 'draft' ? null : created(index),
        quoted_at: created(index),
        approved_at: created(index),
        expires_at: index < 4 ? '2036-01-01' : null,
        deleted_at: index === 1 ? created(index) : null,
        preview_front_url: `https://cdn.test/${mark}`,
        preview_back_url: `https://cdn.test/${mark}`,
        internal_notes: only ? null : `${internal} ${mark}`,
        ...Object.fromEntries(
          ['customer_notes', 'contact_name', 'contact_email']
            .concat('contact_phone', 'company', 'tool_2d', 'techpack_file', 'avatar_preview')
            .map(name => [name, `${mark} ${name}`]),
        ),
      })}`;
    }
    for (const index of [0, 1, 2]) {
      await sql`insert into builder.notifications ${sql({
        id: notificationId(owner, index),
        account_id: account,
        body: `${mark} body`,
        link: `${mark} link`,
        dismissed: index === 0,
        created_at: created(index),
      })}`;
    }
    await sql`insert into builder.idempotency_keys (caller, key, fingerprint, answer)
      values (${`builder_customer ${account}`}, 'kept', 'of another request', ${sql.json({ body: mark, page_total: '1' })})`;
  }
  await sql`insert into builder.notifications (id, account_id, body, dismissed, created_at)
    values (7, ${everyone}, ${`${system} body`}, false, ${created(9)})`;
  for (const index of [0, 1, 2, 3]) {
    for (const isOffered of only ? [true] : [true, false]) {
      const text = isOffered ? 'Eagle' : withheld;
      await sql`insert into builder.graphics ${sql({
        ...times(index),
        id: graphicId(index, isOffered),
        name: `${text} ${index}`,
        code: `${isOffered ? 'EAGLE' : 'GONE'}-${index}`,
        file_url: `https://cdn.test/${text}.svg`,
        file_format: 'svg',
        description: text,
        tags: sql.array([text, 'bird']),
        is_active: isOffered || index > 1,
        deleted_at: isOffered || index < 2 ? null : created(index),
      })}`;
    }
  }
}

/** The data that only staff may change: rows of others, the staff's columns, the graphics. */
export async function untouchable({ sql }: Service): Promise<unknown> {
  const ours = Object.values(owners).flatMap(owner => quoteStatuses.map((_, index) => quoteId(owner, index)));
  return {
    quotes: await sql`select * from builder.quotes where account_id = ${owners.nobody.account} order by id`,
    columns: await sql`
      select id, internal_notes, unit_price, total_price, quoted_at, quoted_by, expires_at, fulfillment_status
      from builder.quotes where id = any (${ours}) order by id`,
    notifications: await sql`
      select * from builder.notifications where account_id in (${owners.nobody.account}, ${everyone}) order by id`,
    graphics: await sql`select * from builder.graphics order by id`,
    transitions: await sql`select * from builder.quote_transitions order by 1, 2`,
    keys: await sql`
      select * from builder.idempotency_keys
      where caller like ${`%${owners.nobody.account}`} or key = 'kept' order by caller, key`,
    accounts: await sql`select distinct account_id from builder.quotes order by 1`,
  };
}
