/** Each collection with live updates: its changes are recorded and sent, and the documents name it. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { newRow } from '../setup/collection-rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { insert } from '../sql/roles.ts';
import { Wire } from './wire.ts';

const service = useService();

describe.each(collections.filter(({ live }) => live))('of $name', collection => {
  it('an insert, an update and a delete are sent: functions/README.md says how to add a live collection', async () => {
    const { sql } = service;
    const { name, primaryKey } = collection;
    const account = randomUUID();
    const wire = await Wire.open(service);
    const binding = { event: '*', schema: 'public', table: name };
    await wire.join('x', [binding], await service.token({ account }));
    const staff = callerOf(service, service.secretKey);
    const deletable = collection.deletableBy.includes('staff');
    let received = 0;
    for (const deletes of deletable ? ['staff', 'its owner'] : ['its owner']) {
      const key = await insert(sql, name, newRow(collection, account));
      await wire.received(received + 1);
      await sql`update ${sql(`builder.${name}`)} set account_id = account_id where ${sql(primaryKey)} = ${key}`;
      await wire.received(received + 2);
      if (deletes === 'staff') {
        await staff.send('DELETE', `/${name}?${primaryKey}=eq.${key}`);
      } else {
        await sql`delete from ${sql(`builder.${name}`)} where ${sql(primaryKey)} = ${key}`;
      }
      const changes = (await wire.received(received + 3)).slice(received);
      expect(changes.map(({ data }) => [data.table, data.type])).toEqual([
        [name, 'INSERT'],
        [name, 'UPDATE'],
        [name, 'DELETE'],
      ]);
      received += 3;
    }
    wire.close();
  });

  it.each([
    ['the table of what supabase-js may use', '../../functions/RECIPES.md', /^\| `channel\(\)` \|.*$/m],
    ['the promises of live updates', '../../functions/live/README.md', /^.*$/s],
  ])('is named in %s', async (_, file, part) => {
    const text = await readFile(new URL(file, import.meta.url), 'utf8');
    expect(part.exec(text)?.[0]).toContain(`\`${collection.name}\``);
  });
});
