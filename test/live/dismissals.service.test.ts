/**
 * `dismissed` of a message to everyone is the caller's own, whoever else is sent the same change.
 * @module-tag live
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { everyone } from '../../schema/everyone.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { all, useLive, type Wire } from './wire.ts';

const service = useService();
const live = useLive(service);

type Person = 'owner' | 'helper';
const orders: Person[][] = [
  ['owner', 'helper'],
  ['helper', 'owner'],
];

/** The helper acts for the owner's account too. */
let tokens: Record<Person, string>;
let id: number;
beforeEach(async () => {
  const helper = await service.token({ account: randomUUID(), also: [live.account] });
  tokens = { owner: live.token, helper };
  id = await live.insert({ body: 'Closed on Monday' }, everyone);
});

async function dismiss(token: string, dismissed = true): Promise<void> {
  const { send } = callerOf(service, service.publishableKey, token);
  expect(await send('PATCH', `/notifications?id=eq.${id}`, { dismissed })).toMatchObject({ status: 204 });
}

const edit = () => service.sql`update builder.notifications set body = 'Closed on Tuesday' where id = ${id}`;

/** Has both join, in this order. */
async function listen(order: Person[], bindings = [all]): Promise<Record<Person, Wire>> {
  const wires = {} as Record<Person, Wire>;
  for (const person of order) {
    wires[person] = await live.listen({ bindings }, tokens[person]);
  }
  return wires;
}

/** What each was sent of the message by now: the events, each with its `dismissed`. */
async function sentTo(...wires: Wire[]): Promise<unknown[][]> {
  await live.settle(...wires);
  return wires.map(wire =>
    wire
      .changes()
      .filter(({ data: { record, old_record } }) => (record ?? old_record)?.['id'] === id)
      .flatMap(({ data: { type, record } }) => [type, ...(record ? [record['dismissed']] : [])]),
  );
}

describe.each(orders)('when the %s joined before the %s', (...order) => {
  it('a dismissal is sent to the pages of who dismisses, and to nobody else', async () => {
    const staff = await live.listen({}, await service.token({ account: randomUUID(), staff: true }));
    const { owner, helper } = await listen(order);
    const page = await live.listen({}, await service.token({ account: live.account, also: [randomUUID()] }));
    await dismiss(tokens.owner);
    await dismiss(tokens.helper);
    const once = ['UPDATE', true];
    expect(await sentTo(owner, page, helper, staff)).toEqual([once, once, once, []]);
    await dismiss(tokens.owner, false);
    expect(await sentTo(owner, page, helper)).toEqual([
      [...once, 'UPDATE', false],
      [...once, 'UPDATE', false],
      once,
    ]);
  });

  it('a message that one of them has dismissed is sent to each as its own', async () => {
    await dismiss(tokens.owner);
    const { owner, helper } = await listen(order);
    await edit();
    expect(await sentTo(owner, helper)).toEqual([
      ['UPDATE', true],
      ['UPDATE', false],
    ]);
  });

  it('a filter on dismissed compares the dismissal of the user who listens', async () => {
    await dismiss(tokens.owner);
    const end = { ...all, filter: 'body=eq.end' };
    const wires = await listen(order, [{ ...all, filter: 'dismissed=eq.false' }, end]);
    const done = await live.listen({ bindings: [{ ...all, filter: 'dismissed=not.is.false' }, end] });
    await edit();
    await live.insert({ body: 'end' });
    const all3 = [wires.owner, wires.helper, done];
    await Promise.all(all3.map(wire => wire.until(({ payload }) => payload?.data?.record?.body === 'end')));
    expect(all3.map(({ bodies }) => bodies)).toEqual([
      ['end'],
      ['Closed on Tuesday', 'end'],
      ['Closed on Tuesday', 'end'],
    ]);
  });
});

it('a message that is dismissed before it was sent is sent as dismissed only to who dismissed it', async () => {
  const { owner, helper } = await listen(['helper', 'owner']);
  await service.sql.begin(async sql => {
    const [row] = await sql`
      insert into builder.notifications (account_id, body, dismissed) values (${everyone}, 'new', false) returning id::integer`;
    id = row?.['id'];
    await sql`insert into builder.dismissals values (${id}, ${live.account})`;
  });
  expect(await sentTo(owner, helper)).toEqual([
    ['INSERT', true, 'UPDATE', true],
    ['INSERT', false],
  ]);
});
