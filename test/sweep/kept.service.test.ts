/** What is kept for how long. `npm test -- test/sweep/kept -u` writes functions/operate/KEPT.md. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { sweepJobs } from '../../schema/sweep-jobs.ts';
import { useDatabase } from '../setup/database.ts';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { insert } from '../sql/roles.ts';

const database = useDatabase();
beforeEach(async () => {
  await database.sql`truncate builder.quotes, builder.graphics, builder.notifications, builder.deliveries, builder.changes cascade`;
  await database.sql`delete from builder.settings where name like 'remove%'`;
});

const hour = 3_600_000;
const day = 24 * hour;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
const sweep = async () => {
  for (const job of sweepJobs) {
    await database.sql`select builder.${database.sql(job.function)}(1000)`;
  }
};

/** Inserts a row whose age is that of its last change, and returns its key. */
type Kind = (at: string) => Promise<string>;
const quote =
  (values: object): Kind =>
  at =>
    insert(database.sql, 'quotes', {
      ...aQuote(randomUUID(), { source: 'csv_import', created_at: at, updated_at: at }),
      ...values,
    });
const delivery =
  (state: string): Kind =>
  async at => {
    const account = randomUUID();
    await insert(database.sql, 'deliveries', {
      kind: 'email',
      account_id: account,
      state,
      due_at: null,
      settled_at: at,
    });
    return account;
  };
const kinds: Record<string, Kind> = {
  'quotes that are drafts': quote({}),
  'quotes that are rejected, expired or cancelled': at =>
    quote({ status: ['rejected', 'expired', 'cancelled'][Date.parse(at) % 3] })(at),
  'quotes that are submitted, quoted or approved': quote({ status: 'submitted' }),
  'ordered quotes': quote({ status: 'ordered' }),
  'deleted quotes': at => quote({ status: 'ordered', deleted_at: at })(at),
  'deleted graphics': at => insert(database.sql, 'graphics', aGraphic({ deleted_at: at })),
  'other graphics': at => insert(database.sql, 'graphics', aGraphic({ created_at: at })),
  'notifications without an end of their own': async at => {
    const account = randomUUID();
    await insert(database.sql, 'notifications', aNotification(account));
    // Months have different lengths.
    await database.sql`
      update builder.notifications
      set expires_at = ${at}::timestamptz + case age(expires_at, created_at) when '1 month' then interval '31 days' else '10 years' end
      where account_id = ${account}`;
    return account;
  },
  'sent e-mails and calls': delivery('sent'),
  'skipped e-mails and calls': delivery('skipped'),
  'failed e-mails and calls': delivery('dead'),
  'refusals of addresses': async at => {
    const address = `${randomUUID()}@kept.test`;
    await database.sql`insert into builder.refused_addresses values (${address}, ${at})`;
    return address;
  },
  'links of offers, from their end': async at => {
    const account = randomUUID();
    const id = await insert(
      database.sql,
      'quotes',
      aQuote(account, { status: 'ordered', source: 'csv_import' }),
    );
    const link = { quote_id: id, account_id: account, may: 'read', created_as: 'customer', ends_at: at };
    return insert(database.sql, 'quote_links', link);
  },
  'accounts that have unsubscribed': async at => {
    const account = randomUUID();
    await database.sql`insert into builder.unsubscribed_accounts values (${account}, ${at})`;
    return account;
  },
  'responses to an `Idempotency-Key`': async at => {
    const key = randomUUID();
    await database.sql`insert into builder.idempotency_keys (caller, key, fingerprint, created_at) values ('one', ${key}, 'f', ${at})`;
    return key;
  },
  'lines of the feed of live updates': async at => {
    const key = randomUUID();
    await database.sql`
      insert into builder.changes (collection, operation, account_id, key, at) values ('quotes', 'I', ${key}, ${key}, ${at})`;
    return key;
  },
};
const tables = [
  ...[
    'quotes',
    'graphics',
    'notifications',
    'deliveries',
    'refused_addresses',
    'unsubscribed_accounts',
    'quote_links',
  ],
  ...['idempotency_keys', 'changes'],
];

const ages: Record<string, number> = {
  '2 hours': 2 * hour,
  'a day': day,
  'a week': 7 * day,
  '30 days': 30 * day,
  'a month': 31 * day,
  '`remove_drafts_after`': 60 * day,
  '`remove_deleted_after`': 70 * day,
  '`remove_closed_after`': 80 * day,
  '90 days': 90 * day,
  'a year': 366 * day,
  'for ever': 3650 * day,
};

/** Returns the first age at which a kind of row is gone after a sweep, or `for ever`. */
async function keptFor(kind: Kind): Promise<string> {
  await database.sql`truncate builder.changes`;
  const keys: [string, string][] = [];
  for (const [name, age] of Object.entries(ages).reverse()) {
    keys.push([name, String(await kind(ago(age + 60_000)))]);
  }
  const found = async (key: string) => {
    const has = tables.map(
      table => database.sql`select from builder.${database.sql(table)} t where strpos(t::text, ${key}) > 0
        and ${table !== 'changes' || kind === kinds['lines of the feed of live updates']}`,
    );
    return (await Promise.all(has)).some(rows => rows.length > 0);
  };
  await sweep();
  for (const [name, key] of keys.reverse()) {
    if (!(await found(key))) {
      return name;
    }
  }
  return 'for ever';
}

it('each kind of row is kept as long as the page says: functions/operate/KEPT.md', async () => {
  const without: Record<string, string> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    without[name] = await keptFor(kind);
  }
  await database.sql`truncate builder.quotes, builder.graphics cascade`;
  for (const setting of ['remove_drafts_after', 'remove_deleted_after', 'remove_closed_after']) {
    await database.sql`
      insert into builder.settings values (${setting}, ${`${(ages[`\`${setting}\``] ?? 0) / day} days`})`;
  }
  const kept: Record<string, string[]> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const age = await keptFor(kind);
    expect([name, without[name]]).toEqual([name, age.startsWith('`') ? 'for ever' : age]);
    kept[age] = [...(kept[age] ?? []), name];
  }
  const lines = Object.keys(ages).map(age => kept[age] && `- ${age}: ${kept[age].join('; ')}\n`);
  const page = `# What is kept for how long

For operators: when does the sweep delete what? A test writes this page. The names in code are [settings](README.md#an-accounts-data), without
which these rows are kept for ever. History and offers are kept as long as their quote, and so are its e-mails and calls, at most as long as
below. Ages count from the last change, or else from the end of a delivery.

${lines.filter(Boolean).join('')}`;
  await expect(page).toMatchFileSnapshot('../../functions/operate/KEPT.md');
});

it.each([
  [
    'remove_draft_after',
    '90 days',
    'There is no setting "remove_draft_after"',
    /^The settings are .*remove_drafts_after\.$/,
  ],
  [
    'remove_closed_after',
    '1 second',
    'remove_closed_after must be a day or longer',
    /^To remove nothing: delete from /,
  ],
])('the setting %s of %s is refused with what to write instead', async (name, value, message, hint) => {
  const insert = database.sql`insert into builder.settings values (${name}, ${value})`;
  await expect(insert).rejects.toMatchObject({ message, hint: expect.stringMatching(hint) });
});

it('a quote that is removed by its age goes with its history, offers and deliveries, and no one is notified', async () => {
  const { sql } = database;
  await sql`insert into builder.webhooks (url, secrets) values ('https://erp.test/', '{whsec_x}')`;
  const values = { status: 'quoted', unit_price: 1, total_price: 1, source: 'builder' };
  const id = await quote(values)(ago(400 * day));
  await sql`update builder.quotes set status = 'expired' where id = ${id}`;
  const fresh = await quote(values)(ago(400 * day));
  await sql`update builder.quotes set status = 'expired' where id = ${fresh}`;
  await sql.begin(async own => {
    await own`set local session_replication_role = replica`;
    await own`update builder.quotes set updated_at = ${ago(300 * day)} where id = ${id}`;
  });
  await sql`truncate builder.notifications cascade`;
  await sql`insert into builder.settings values ('remove_closed_after', '1 year')`;
  await sweep();
  expect(await sql`select from builder.quotes`).toHaveLength(2);
  await sql`update builder.settings set value = '200 days' where name = 'remove_closed_after'`;
  await sweep();
  expect(await sql`select id from builder.quotes`).toEqual([{ id: fresh }]);
  for (const table of ['quote_events', 'quote_offers', 'deliveries']) {
    expect(await sql`select from builder.${sql(table)} where quote_id = ${id}`).toEqual([]);
  }
  expect(await sql`select from builder.notifications`).toEqual([]);
});
