/** The files that say what the migrations make, and which of them have landed, follow the migrations. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { checksumsOfFiles, landedChecksums, rewritten } from '../../sql/append-only.ts';
import { describeSchema } from '../../sql/describe-schema.ts';
import { useDatabase } from '../setup/database.ts';

const database = useDatabase();

const remedy = 'The migrations make another schema than sql/schema.sql has: run `npm run schema`';

describe('sql/schema.sql', () => {
  it('is the schema that the migrations make', async () => {
    const text = await readFile(new URL('../../sql/schema.sql', import.meta.url), 'utf8');
    expect(await describeSchema(database.sql), remedy).toBe(text);
  });

  it.each([
    ['alter table builder.quotes add column season text', '  season text,'],
    ['alter table builder.graphics alter code drop not null', '  code text,'],
    [
      'alter table builder.graphics add constraint wide check (width > 9) not valid',
      'CHECK ((width > 9)) NOT VALID',
    ],
    ['create index on builder.quotes (company)', 'CREATE INDEX quotes_company_idx ON builder.quotes'],
    [
      'alter table builder.quotes disable trigger rules',
      'EXECUTE FUNCTION builder.rule_quote(); -- not enabled',
    ],
    [
      'alter table builder.quote_transitions enable row level security',
      'alter table builder.quote_transitions enable row level security;',
    ],
    ['alter policy staff_do_everything on builder.quotes using (false)', 'using (false)'],
    ['alter function builder.key_owner() security definer', 'LANGUAGE sql\n STABLE SECURITY DEFINER'],
    ["alter type builder.notification_channel rename value 'email' to 'mail'", "as enum ('in_app', 'mail');"],
    [
      'grant usage on type builder.notification_type to public',
      'on type builder.notification_type to public;',
    ],
    [
      'grant delete on builder.graphics to builder_anon with grant option',
      'grant delete on builder.graphics to builder_anon with grant option;',
    ],
    [
      'grant select (body) on builder.notifications to builder_anon',
      'grant select (\n  body\n) on builder.notifications',
    ],
    ['grant execute on function builder.key_owner() to public', 'on function builder.key_owner() to public;'],
    [
      'create view builder.sports as select sport from builder.quotes',
      '-- not described here: view builder.sports',
    ],
  ])('would differ after: %s', async (change, text) => {
    let described = '';
    await database.sql
      .begin(async transaction => {
        await transaction.unsafe(change);
        described = await describeSchema(transaction);
        throw new Error('undone');
      })
      .catch(error => expect(error.message).toBe('undone'));
    expect(described).toContain(text);
    expect(await describeSchema(database.sql)).not.toContain(text);
  });
});

describe('the migrations', () => {
  it('that have landed are unchanged: a later change is a new migration', async () => {
    expect(rewritten(await landedChecksums(), await checksumsOfFiles())).toEqual([]);
  });

  it('are all in sql/migrations/checksums.txt, which `npm run schema` completes', async () => {
    expect([...(await landedChecksums()).keys()]).toEqual([...(await checksumsOfFiles()).keys()]);
  });

  it('are reported when one is changed or removed', () => {
    const landed = new Map([
      ['001.do.a.sql', '1'],
      ['002.do.b.sql', '2'],
      ['003.do.c.sql', '3'],
    ]);
    const files = new Map([
      ['001.do.a.sql', '1'],
      ['002.do.b.sql', '0'],
      ['004.do.d.sql', '4'],
    ]);
    expect(rewritten(landed, files)).toEqual(['002.do.b.sql is changed', '003.do.c.sql is gone']);
  });
});
