/** The types for clients: one file that needs nothing else, printed by a program and returned by the service. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startCommand } from '../local/program.ts';
import { root } from '../setup/files.ts';
import { useService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { useCallers } from '../setup/wire.ts';
import { makeApplication } from './application.ts';

const account = randomUUID();
const service = useService();
const { anon, customer, staff } = useCallers(service, account);
const application = use(() => makeApplication({ 'program.ts': program }), 'remove');

const types = readFileSync(join(root, 'schema/database.types.ts'), 'utf8');

const program = `
import { createClient } from '@supabase/supabase-js';
import WebSocket from 'ws';
import { Constants, type Database, type Enums, type Issue, type Json, type Tables, type TablesInsert, type TablesUpdate } from './database.types.ts';

declare const process: { argv: string[] };
const [url = '', key = '', token = '', account_id = ''] = process.argv.slice(2);
const realtime = { transport: WebSocket as never };
const supabase = createClient<Database>(url, key, { accessToken: async () => token, realtime });
const row: TablesInsert<'quotes'> = {
  account_id,
  quote_number: 'QT-2026-00001',
  product_id: account_id,
  sport: 'golf',
  customization: { team: 'Lions' },
};
const inserted = await supabase.from('quotes').insert(row).select().single();
const quote: Tables<'quotes'> | null = inserted.data;
const change: TablesUpdate<{ schema: 'public' }, 'quotes'> = { colors: { primary: '#fff' } };
const changed = await supabase.from('quotes').update(change).eq('id', quote?.id ?? '').select('sport, colors, design:design_id').single();
const colors: Json | undefined = changed.data?.colors;
const design: string | null | undefined = changed.data?.design;
const types: readonly Enums<'notification_type'>[] = Constants.public.Enums.notification_type;
const json: Json = { types: [...types] };
const number: string | null = (await supabase.rpc('next_quote_number')).data;
const deep = await supabase.from('quotes').select('team:customization->>team, text:customization->jersey->>text').single();
const team: string | undefined = deep.data?.team;
const refused = await supabase.from('quotes').update({ sport: '', currency: 'dollars', roster_count: -1 }).eq('sport', 'golf');
const { issues = [] } = refused.error as { issues?: Issue[] };
const events = await supabase.from('quote_events').select('event, quotes(status)');
// @ts-expect-error a deleted quote is not shown
const status: string | undefined = events.data?.[0]?.quotes.status;
const inner = await supabase.from('quote_offers').select('quotes!inner(status)');
const surely: string | undefined = inner.data?.[0]?.quotes.status;
// @ts-expect-error there is no such collection
supabase.from('orders');
// @ts-expect-error there is no such column
supabase.from('quotes').select('id').eq('state', 'draft');
// @ts-expect-error no quote has this status
supabase.from('quotes').update({ status: 'lost' });
const { sport: _, ...incomplete } = row;
// @ts-expect-error sport is missing
supabase.from('quotes').insert(incomplete);
// @ts-expect-error sport may not be null
supabase.from('quotes').insert({ ...row, sport: null });
// @ts-expect-error a total may be null
const total: number | undefined = quote?.total_price;
// The database sets it, so it is never null in a row; a change may have null there.
const at: string | undefined = quote?.updated_at;
const again: TablesUpdate<'quotes'> = { updated_at: null };
console.log(JSON.stringify({ sport: changed.data?.sport, colors, design, json, number, team, issues: issues.map(({ path }) => path) }));
`;

describe('npm run types:client > database.types.ts', () => {
  beforeAll(async () => {
    const file = join(application.directory, 'database.types.ts');
    const { code, stderr } = await startCommand('sh', ['-c', 'npm run types:client > "$0"', file], {
      directory: root,
    }).ended;
    expect(code, stderr).toBe(0);
  });

  it('writes a file that needs nothing else, by which supabase-js knows rows', async () => {
    expect(await application.compile('program.ts')).toBe('');
    const { publishableKey, url } = service;
    const token = await service.token({ account });
    const { stdout, stderr } = await application.run('program.ts', url, publishableKey, token, account);
    expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual({
      sport: 'golf',
      colors: { primary: '#fff' },
      design: null,
      json: { types: ['info', 'warning', 'error'] },
      number: expect.stringMatching(/^QT-/),
      team: 'Lions',
      issues: ['currency', 'roster_count'],
    });
  });
});

describe('GET /rest/v1/ with Accept: application/typescript', () => {
  const typescript = { accept: 'application/typescript' };

  it('returns the same file to staff', async () => {
    const { headers, text } = await staff.get('/', typescript);
    expect(headers.get('content-type')).toBe('application/typescript; charset=utf-8');
    expect(text).toBe(types);
  });

  it('returns to others what they may use', async () => {
    const { text } = await customer.get('/', typescript);
    expect(text).toContain('customer_notes');
    expect(text).not.toContain('internal_notes');
    const { text: anonymous } = await anon.get('/', typescript);
    expect(anonymous).not.toContain('quote');
    const files = { 'customer.ts': text, 'anonymous.ts': anonymous };
    const alone = await makeApplication(files, 'none');
    // Without any package.
    expect(await alone.compile('customer.ts', 'anonymous.ts')).toBe('');
    await alone.remove();
  });
});
