/** Bodies of CSV and forms, and CSV for spreadsheets. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { representation, useCallers } from '../../setup/wire.ts';

const service = useService();
const account = randomUUID();
const { staff, customer } = useCallers(service, account);
const csv = { 'content-type': 'text/csv' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const ids = { account_id: account, quote_number: 'QT-2026-00001', product_id: randomUUID() };
const names =
  'account_id,quote_number,product_id,sport,source,customization,colors,size_breakdown,roster_count,event_date,rush_order';
const start = `${Object.values(ids)},baseball,csv_import`;

const sendCsv = (lines: string[], headers = {}) =>
  customer.send('POST', '/quotes', lines.join('\n'), { ...csv, ...representation, ...headers });

describe('a body of CSV', () => {
  it('creates quotes whose JSON columns are JSON and whose empty cells are null', async () => {
    const big = '{""n"": 12345678901234567890, ""p"": 1.50}';
    const { status, body, text } = await sendCsv([
      names,
      `${start},"${big}","{""primary"":""red""}","{""M"":7}",7,2026-05-20,t`,
      `${start},"{}",,,,,`,
      `${start},"{}","","","NULL","",""`,
    ]);
    expect(status, text).toBe(201);
    const none = Object.fromEntries(
      names
        .split(',')
        .slice(6)
        .map(name => [name, null]),
    );
    expect(body.slice(1)).toMatchObject([none, none]);
    expect(body[0]).toMatchObject({ colors: { primary: 'red' }, size_breakdown: { M: 7 }, rush_order: true });
    expect(text).toContain('"n": 12345678901234567890, "p": 1.50');
  });

  it('has an issue at its row and column for each cell that is no JSON, or not the JSON of its column', async () => {
    const { status, body } = await sendCsv([
      'account_id,quote_number,product_id,sport,source,customization,colors',
      `${start},"{}",red`,
      `${start},{broken,"[]"`,
      `${start},"[1]",`,
    ]);
    expect([status, body.code]).toEqual([400, '22P02']);
    expect(body.issues).toEqual([
      expect.objectContaining({ path: '0.colors', message: 'colors must be valid JSON; it is "red".' }),
      expect.objectContaining({ path: '1.customization', expected: 'valid JSON', received: '"{broken"' }),
      expect.objectContaining({ path: '1.colors', expected: 'a JSON object' }),
      expect.objectContaining({ path: '2.customization', expected: 'a JSON object' }),
    ]);
  });

  it('changes rows by their keys, and inserts or updates them, with the same cells', async () => {
    const quotes = (await sendCsv([names, `${start},"{}",,,,,`, `${start},"{}",,,,,`])).body;
    const lines = quotes.map(
      ({ id }: { id: string }, n: number) => `${id},"{""primary"":""c${n}""}",${n || ''}`,
    );
    const rows = ['id,colors,roster_count', ...lines].join('\n');
    const changed = await customer.send('PATCH', '/quotes', rows, { ...csv, ...representation });
    expect(changed.body).toMatchObject([
      { colors: { primary: 'c0' }, roster_count: null },
      { colors: { primary: 'c1' }, roster_count: 1 },
    ]);
    const prefer = 'return=representation,resolution=merge-duplicates';
    const upserted = await sendCsv([`id,${names}`, `${quotes[0].id},${start},"{""a"":1}",,,,,`], { prefer });
    expect([upserted.status, upserted.body[0].customization]).toEqual([200, { a: 1 }]);
  });
});

it('a form creates a quote, with JSON in its JSON fields, and null for an empty field that is no text', async () => {
  const empty = { colors: '', roster_count: '', company: '' };
  const fields = { ...ids, sport: 'x', customization: '{"n": 1.50}', ...empty };
  const body = new URLSearchParams(fields).toString();
  const reply = await customer.send('POST', '/quotes', body, { ...form, ...representation });
  expect(reply.status, reply.text).toBe(201);
  expect(reply.text).toContain('"n": 1.50');
  expect(reply.body[0]).toMatchObject({ colors: null, roster_count: null, company: '' });
});

describe('JSON in a cell', () => {
  it('has as few levels of nesting as a JSON body', async () => {
    const customization = `{"a":${'['.repeat(600)}${']'.repeat(600)}}`;
    const body = new URLSearchParams({ ...ids, sport: 'x', customization }).toString();
    const reply = await customer.send('POST', '/quotes', body, form);
    expect([reply.status, reply.body.code]).toEqual([400, 'PGRST100']);
  });

  it.each([
    ['customization.a', new URLSearchParams({ ...ids, customization: '{"a":1e400}' }).toString(), form],
    ['1.colors.a', 'sport,colors\nx,{}\nx,"{""a"":1e400}"\n', csv],
  ])('with a number of too many digits is an issue at its field: %s', async (path, body, type) => {
    const { status, body: error } = await customer.send('POST', '/quotes', body, type);
    expect([status, error.code, error.issues]).toMatchObject([400, '22003', [{ path }]]);
  });
});

describe('CSV for spreadsheets', () => {
  const accept = 'text/csv; profile=spreadsheet';
  const withCompany = [...names.split(',').slice(0, 6), 'company'].join();

  it('begins with a byte order mark, and has quotes but no doubled backslashes', async () => {
    const graphic = aGraphic({ name: 'back\\slash, "x"', tags: ['a"b', 'c'], width: 5 });
    const { id } = (await staff.send('POST', '/graphics', graphic, representation)).body[0];
    const path = `/rest/v1/graphics?id=eq.${id}&select=name,width,height,tags,is_active`;
    const reply = await service.fetch(path, { headers: { apikey: service.secretKey, accept } });
    expect(reply.headers.get('content-type')).toBe('text/csv; profile=spreadsheet; charset=utf-8');
    expect(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await reply.arrayBuffer())).toBe(
      '\u{feff}"name","width","height","tags","is_active"\n"back\\slash, ""x""",5,,"{""a\\""b"",c}","true"',
    );
  });

  it('makes no formula of a text, and changes no other text', async () => {
    const cells: [text: string, cell: string][] = [
      ['@SUM(A1)', "'@SUM(A1)"],
      ['＝1', "'＝1"],
      ['a;=1', "a;'=1"],
      ['a;"=1', `a;'""=1`],
      ['a\n=1', "a\n'=1"],
      ['a = b - c', 'a = b - c'],
    ];
    const sport = randomUUID();
    const quotes = cells.map(([company], n) => aQuote(account, { sport, company, roster_count: n }));
    expect((await customer.send('POST', '/quotes', quotes)).status).toBe(201);
    const path = `/quotes?sport=eq.${sport}&select=company,roster_count&order=roster_count`;
    const { text } = await customer.get(path, { accept });
    const lines = cells.map(([, cell], n) => `"${cell}",${n}`);
    expect(text.replace('\u{feff}', '')).toBe(['"company","roster_count"', ...lines].join('\n'));
  });

  it('is no body of a request: 415 names the format to export', async () => {
    const { status, body } = await customer.send('POST', '/quotes', 'company\nx', { 'content-type': accept });
    expect([status, body.code, body.hint]).toEqual([415, 'PT415', 'Export as `text/csv` to import again.']);
  });

  it.each([
    "'=1+1",
    "'@x",
  ])('is refused by a cell that has an apostrophe before a formula: %s', async cell => {
    const { status, body } = await sendCsv([withCompany, `${start},"{}",'tis`, `${start},"{}",${cell}`]);
    const details = `Line 3: company begins with ${cell.slice(0, 2)}, as CSV for spreadsheets has it.`;
    expect([status, body.code, body.details]).toEqual([400, 'PGRST102', details]);
    expect(body.hint).toContain('Export as `text/csv`');
  });

  it('is not recognised in other cells, which are stored as they are', async () => {
    const cells = [
      "'tis",
      "O'Brien - Sons",
      "it's '=' here",
      "a'=b",
      "a;'=b",
      '-5',
      '+49 170',
      '=1',
      "'",
      "''",
    ];
    const { status, body, text } = await sendCsv([
      withCompany,
      ...cells.map(cell => `${start},"{}",${cell}`),
    ]);
    expect(status, text).toBe(201);
    expect(body.map(({ company }: { company: string }) => company)).toEqual(cells);
  });
});
