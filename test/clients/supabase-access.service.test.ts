/** The permissions of anonymous callers, customers, staff and the secret key, tried with supabase-js. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { may, newRow } from '../setup/collection-rows.ts';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Client, type Clients, clientOf, clientsOf, expectData, expectError } from './supabase.ts';

const account = randomUUID();
const team = randomUUID();
const service = useService();
let as: Clients;
beforeAll(async () => {
  as = await clientsOf(service, account);
});

/** Inserts a row with the secret key and returns its id. */
async function made(table: string, row: object): Promise<string> {
  const { data, error } = await as.secret.from(table).insert(row).select('id').single();
  expect(error).toBeNull();
  return data?.id;
}

describe('an anonymous caller', () => {
  it('reads and counts active graphics', async () => {
    const tag = randomUUID();
    const id = await made('graphics', aGraphic({ tags: [tag] }));
    const hidden = await made('graphics', aGraphic({ tags: [tag], is_active: false }));
    const graphics = () => as.anonymous.from('graphics');
    expectData(await graphics().select('id').contains('tags', [tag]), [{ id }]);
    expectData(await graphics().select('id').eq('id', id).single(), { id });
    expectData(await graphics().select().eq('id', hidden).maybeSingle(), null);
    expectError(await graphics().select().eq('id', hidden).single(), 406, 'PGRST116', /single JSON object/);
    const counted = await graphics().select('*', { count: 'exact', head: true }).contains('tags', [tag]);
    expect(counted).toMatchObject({ error: null, count: 1, status: 200 });
  });

  const closed = collections.filter(collection => !may(collection, 'anon', 'select'));
  it.each(closed)('does nothing with $name', async ({ name: table }) => {
    const refused = /permission denied for table/;
    expectError(await as.anonymous.from(table).select(), 401, '42501', refused);
    expectError(await as.anonymous.from(table).select('id').limit(1).single(), 401, '42501', refused);
    const head = await as.anonymous.from(table).select('*', { count: 'exact', head: true });
    expect(head).toMatchObject({ status: 401, count: null, data: null, error: { message: '' } });
  });

  it.each(collections)('writes no $name', async collection => {
    const { name: table } = collection;
    const row = newRow(collection, account);
    const refused = `permission denied for table ${table}`;
    expectError(await as.anonymous.from(table).insert(row), 401, '42501', refused);
    expectError(await as.anonymous.from(table).upsert(row).select().single(), 401, '42501', refused);
    expectError(await as.anonymous.from(table).update(row).eq('id', randomUUID()), 401, '42501', refused);
    expectError(await as.anonymous.from(table).delete().eq('id', randomUUID()), 401, '42501', refused);
  });
});

describe('a customer', () => {
  it('has its own quotes: insert, select, count, update, upsert, delete', async () => {
    const quotes = () => as.customer.from('quotes');
    const inserted = await quotes().insert(aQuote(account)).select().single();
    expectData(
      inserted,
      expect.objectContaining({ account_id: account, status: 'draft', created_by: account }),
      201,
    );
    expect(inserted.data).not.toHaveProperty('internal_notes');
    const { id } = inserted.data;
    expectData(await quotes().select('id').eq('id', id).single(), { id });
    const counted = await quotes().select('*', { count: 'exact', head: true }).eq('id', id);
    expect(counted).toMatchObject({ error: null, count: 1, status: 200 });
    const { customization, ...row } = aQuote(account, { id, customization: { team: 'Tigers' } }) as Record<
      string,
      unknown
    >;
    const merged = await quotes()
      .upsert({ ...row, customization })
      .select('customization')
      .single();
    expectData(merged, { customization });
    const submitted = await quotes()
      .update({ status: 'submitted' })
      .eq('id', id)
      .select('status, submitted_at')
      .single();
    expectData(submitted, { status: 'submitted', submitted_at: expect.any(String) });
    expectData(await quotes().update({ status: 'cancelled' }).eq('id', id), null, 204);
    expectData(await quotes().delete().eq('id', id).select('id'), [{ id }]);
    expectData(await quotes().select('id').eq('id', id), []);
  });

  it('neither sees nor changes rows of another account', async () => {
    const row = aQuote(team, { id: randomUUID(), company: 'Bears' });
    const id = await made('quotes', row);
    const quotes = () => as.customer.from('quotes');
    expectData(await quotes().select('id').eq('id', id), []);
    expectData(await quotes().update({ company: 'x' }).eq('id', id).select(), []);
    expectError(
      await quotes().update({ company: 'x' }).eq('id', id).select().single(),
      406,
      'PGRST116',
      /single/,
    );
    expectData(await quotes().delete().eq('id', id).select(), []);
    expectError(await quotes().upsert({ ...row, company: 'x' }), 403, '42501', /row-level security/);
    expectError(await quotes().upsert({ ...row, account_id: account }), 409, '23505', /may not change/);
    expectError(await quotes().insert(aQuote(team)), 403, '42501', /row-level security/);
    expectData(await as.secret.from('quotes').select('company').eq('id', id).single(), { company: 'Bears' });
  });

  it('cannot move a quote to another account', async () => {
    const { data } = await as.customer.from('quotes').insert(aQuote(account)).select('id').single();
    const reply = await as.customer.from('quotes').update({ account_id: team }).eq('id', data?.id);
    expectError(reply, 403, '42501', /row-level security/);
  });

  it('cannot do what only staff may', async () => {
    const id = await made('quotes', aQuote(account, { internal_notes: 'margin 30%' }));
    const refused = /permission denied for column internal_notes of table quotes/;
    const quotes = () => as.customer.from('quotes');
    expectError(await quotes().select('id, internal_notes').eq('id', id), 403, '42501', refused);
    expectError(await quotes().select('id').ilike('internal_notes', '%30%'), 403, '42501', refused);
    expectError(await quotes().select('id').order('internal_notes'), 403, '42501', refused);
    expectError(await quotes().update({ internal_notes: '' }).eq('id', id), 403, '42501', refused);
    expectError(await quotes().update({ unit_price: 1 }).eq('id', id), 403, '42501', /column unit_price/);
    const updated = await quotes().update({ company: 'Lions' }).eq('id', id).select().single();
    expectData(updated, expect.objectContaining({ id, company: 'Lions' }));
    expect(updated.data).not.toHaveProperty('internal_notes');
  });

  it('reads graphics and writes none', async () => {
    const id = await made('graphics', aGraphic());
    const graphics = () => as.customer.from('graphics');
    const refused = 'permission denied for table graphics';
    expectData(await graphics().select('id').eq('id', id).single(), { id });
    expectError(await graphics().insert(aGraphic()), 403, '42501', refused);
    expectError(await graphics().upsert(aGraphic({ id })), 403, '42501', refused);
    expectError(await graphics().update({ name: 'x' }).eq('id', id), 403, '42501', refused);
    expectError(await graphics().delete().eq('id', id), 403, '42501', refused);
  });

  it('reads, dismisses and deletes its notifications', async () => {
    const id = await made('notifications', aNotification(account));
    const notifications = () => as.customer.from('notifications');
    expectData(await notifications().select('id, dismissed').eq('id', id).single(), { id, dismissed: false });
    const dismissed = await notifications()
      .update({ dismissed: true })
      .eq('id', id)
      .select('dismissed')
      .single();
    expectData(dismissed, { dismissed: true });
    expectError(await notifications().update({ body: 'x' }).eq('id', id), 403, '42501', /column body/);
    expectError(
      await notifications().insert(aNotification(account)),
      403,
      '42501',
      /permission denied for table/,
    );
    expectData(await notifications().delete({ count: 'exact' }).eq('id', id), null, 204);
    expectData(await notifications().select().eq('id', id).maybeSingle(), null);
  });

  it('of a team has the quotes of the team', async () => {
    const id = await made('quotes', aQuote(team));
    const token = await service.token({ account: randomUUID(), also: [team] });
    const member = clientOf(service, service.publishableKey, token);
    expectData(await member.from('quotes').select('id').eq('id', id).single(), { id });
    expectData(
      await member.from('quotes').update({ company: 'Lions' }).eq('id', id).select('company').single(),
      { company: 'Lions' },
    );
  });
});

describe.each(['staff', 'secret'] as const)('%s', who => {
  const rows: [table: string, row: () => object, change: object][] = [
    [
      'quotes',
      () => aQuote(team, { internal_notes: 'margin' }),
      { internal_notes: 'less', unit_price: 12.5 },
    ],
    ['graphics', () => aGraphic({ is_active: false }), { name: 'Tiger' }],
    ['notifications', () => aNotification(team), { body: 'New', type: 'warning' }],
  ];
  it.each(rows)('does everything with %s', async (table, row, change) => {
    const from = () => (as[who] satisfies Client).from(table);
    const values = row();
    const inserted = await from().insert(values).select().single();
    expectData(inserted, expect.objectContaining(values), 201);
    const { id } = inserted.data;
    expectData(await from().select().eq('id', id).single(), inserted.data);
    const counted = await from().select('id', { count: 'exact' }).eq('id', id);
    expect(counted).toMatchObject({ error: null, status: 200, count: 1, data: [{ id }] });
    expectData(await from().update(change).eq('id', id).select().single(), expect.objectContaining(change));
    expectData(
      await from()
        .upsert({ ...values, id })
        .select()
        .single(),
      expect.objectContaining({ ...values, id }),
    );
    expectData(await from().delete({ count: 'exact' }).eq('id', id), null, 204);
    expectData(await from().select().eq('id', id), []);
  });
});
