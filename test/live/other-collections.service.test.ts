/** Many who listen to notifications alone, and one of them who writes quotes while something is told to everyone. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { everyone } from '../sql/roles.ts';
import { all, Wire } from './wire.ts';

const service = useService();

it('staff who listen to notifications alone stay joined while customers write quotes', {
  timeout: 60_000,
}, async () => {
  const { sql } = service;
  const staff = await Wire.open(service);
  expect(
    await staff.join('x', [all], await service.token({ account: randomUUID(), staff: true })),
  ).toMatchObject({ status: 'ok' });
  await sql`insert into builder.quotes ${sql(aQuote(randomUUID()))}`;
  await sleep(1500);
  expect(staff.messages.filter(({ event }) => event === 'phx_error')).toEqual([]);
});

it('one who writes quotes, and others who are told of something for everyone', {
  timeout: 60_000,
}, async () => {
  const { sql } = service;
  const attacker = randomUUID();
  const accounts = [attacker, ...Array.from({ length: 59 }, () => randomUUID())];
  const wires = await Promise.all(
    accounts.map(async account => {
      const wire = await Wire.open(service);
      expect(await wire.join('x', [all], await service.token({ account }))).toMatchObject({ status: 'ok' });
      return wire;
    }),
  );
  await sql.begin(async tx => {
    await tx`insert into builder.quotes ${sql(Array.from({ length: 5 }, () => aQuote(attacker)))}`;
    await tx`insert into builder.notifications ${sql(aNotification(everyone, { body: 'hello' }))}`;
  });
  await sleep(2500);
  const failed = wires.map(wire => wire.messages.filter(({ event }) => event === 'phx_error').length);
  const told = wires.map(wire => wire.changes().length);
  console.log('failed', failed.join(''), 'told', told.join(''));
  expect(failed.reduce((a, b) => a + b)).toBe(0);
});
