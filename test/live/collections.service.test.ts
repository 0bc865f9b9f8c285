/** Each collection with live updates: its rows are recorded and told. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { newRow } from '../setup/collection-rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { insert } from '../sql/roles.ts';
import { Wire } from './wire.ts';

const service = useService();

describe.each(collections.filter(({ live }) => live))('of $name', collection => {
  it('an insert, an update and a delete are told: see functions/README.md, how to add a live collection', async () => {
    const { sql } = service;
    const { name, primaryKey } = collection;
    const account = randomUUID();
    const wire = await Wire.open(service);
    const binding = { event: '*', schema: 'public', table: name };
    await wire.join('x', [binding], await service.token({ account }));
    const staff = callerOf(service, service.secretKey);
    const deletable = collection.deletableBy.includes('staff');
    let told = 0;
    for (const deletes of deletable ? ['staff', 'its owner'] : ['its owner']) {
      const key = await insert(sql, name, newRow(collection, account));
      await wire.received(told + 1);
      await sql`update ${sql(`builder.${name}`)} set account_id = account_id where ${sql(primaryKey)} = ${key}`;
      await wire.received(told + 2);
      if (deletes === 'staff') {
        await staff.send('DELETE', `/${name}?${primaryKey}=eq.${key}`);
      } else {
        await sql`delete from ${sql(`builder.${name}`)} where ${sql(primaryKey)} = ${key}`;
      }
      const changes = (await wire.received(told + 3)).slice(told);
      expect(changes.map(({ data }) => [data.table, data.type])).toEqual([
        [name, 'INSERT'],
        [name, 'UPDATE'],
        [name, 'DELETE'],
      ]);
      told += 3;
    }
    wire.close();
  });
});
