/** No setting of the database, by which Postgres writes or reads values otherwise, changes a response. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { representation, useCallers } from '../setup/wire.ts';
import { insert } from '../sql/roles.ts';

const service = useService();
const account = randomUUID();
const { staff } = useCallers(service);
const id = randomUUID();
const at = '2026-05-06T07:08:09.123456+00:00';

beforeAll(async () => {
  const times = { event_date: '2026-02-03', created_at: at, expires_at: '2030-11-12T13:14:15Z' };
  const quote = aQuote(account, { id, ...times, unit_price: 1234567.891, customization: { at, n: 1.1 } });
  const graphic = aGraphic({ id, name: 'back\\slash', tags: ['NULL', 'null', null, 'a'], created_at: at });
  await insert(service.sql, 'quotes', quote);
  await insert(service.sql, 'graphics', graphic);
});

const times = 'event_date,created_at,expires_at,unit_price';
const reads: [path: string, headers?: Record<string, string>][] = [
  [`/quotes?id=eq.${id}&select=${times},customization`],
  [`/quotes?id=eq.${id}&select=a:created_at::text,b:event_date::text,c:created_at::date`],
  [`/quotes?id=eq.${id}&select=created_at.min(),expires_at.max(),unit_price.sum()::float8`],
  [`/quotes?id=eq.${id}&select=id&created_at=eq.${encodeURIComponent(at)}&event_date=lte.2026-02-03`],
  [`/quotes?id=eq.${id}&select=created_at`, { accept: 'text/csv', prefer: 'timezone=Asia/Kolkata' }],
  [`/graphics?id=eq.${id}&select=tags,name,t:tags::text`],
  [`/graphics?id=eq.${id}&select=id&tags=eq.{"NULL","null",null,a}`],
  [`/graphics?id=eq.${id}&select=id&name=like.back\\\\*`],
];

/** Writes a row by texts that Postgres reads, and returns what it has become. */
async function write(): Promise<string> {
  const columns = 'name,code,file_url,file_format,tags,created_at';
  const body = `${columns}\nx,SET,https://cdn.test/x.svg,svg,"{NULL,a}",2026-05-06T07:08:09Z\n`;
  const headers = { 'content-type': 'text/csv', prefer: `${representation.prefer}, tx=rollback` };
  const reply = await staff.send('POST', '/graphics?select=tags,created_at', body, headers);
  return `${reply.status} ${reply.text}`;
}

async function responses(): Promise<string[]> {
  const texts = [await write()];
  for (const [path, headers] of reads) {
    const { status, text } = await staff.get(path, headers);
    texts.push(`${path} ${status} ${text}`);
  }
  return texts;
}

/** Values that no setting has by default. */
const others = `
   datestyle = 'SQL', 'DMY'; intervalstyle = sql_standard; timezone = 'Asia/Tokyo'; extra_float_digits = -15; array_nulls = off;
   bytea_output = escape; client_encoding = LATIN1; standard_conforming_strings = off; quote_all_identifiers = on;
   transform_null_equals = on; lc_messages = 'C'; lc_monetary = 'C'; lc_numeric = 'C'; lc_time = 'C'`;

it('settings of the database change no response', async () => {
  const { sql } = service;
  const [{ database } = {}] = await sql`select current_database() as database`;
  const before = await responses();
  expect(before.filter(text => !/ (?:200|201) /.test(` ${text}`))).toEqual([]);
  try {
    for (const setting of others.split(';')) {
      await sql.unsafe(`alter database "${database}" set ${setting}`);
    }
    await service.restart();
    expect(await responses()).toEqual(before);
  } finally {
    await sql.unsafe(`alter database "${database}" reset all`);
    await service.restart();
  }
});
