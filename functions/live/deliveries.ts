/** Whom changes may concern, and for how many callers one message reads. */
import type { Audience } from '../../schema/collection.ts';
import { everyone } from '../../schema/everyone.ts';
import { limits } from '../common/limits.ts';
import type { Change } from './changes.ts';
import type { Channels, LiveCaller } from './channels.ts';
import type { Listener } from './deliver.ts';

const { callers, conditions } = limits.live;

/** A caller, its listeners, and the changes that may concern it, in order. */
export interface Delivery {
  caller: LiveCaller;
  listeners: Listener[];
  changes: Change[];
}

/** Returns the audience of a group. */
export const audienceOf = ([first]: Delivery[]): Audience => first?.caller.caller.audience ?? 'customer';

/** Returns those whom the changes may concern, the ones with the least to read first. */
export function deliveriesOf(changes: Change[], listeners: Listener[], channels: Channels): Delivery[] {
  const deliveries: Delivery[] = [];
  for (const [caller, own] of Map.groupBy(listeners, ({ channel }) => channels.callerOf(channel))) {
    const bound = new Set(
      own.flatMap(({ channel }) => channel.bindings.map(({ collection }) => collection.name)),
    );
    const concerning = caller
      ? changes.filter(change => bound.has(change.collection) && mayConcern(change, caller))
      : [];
    if (caller && concerning.length > 0) {
      deliveries.push({ caller, listeners: own, changes: concerning });
    }
  }
  return deliveries.sort((a, b) => a.changes.length - b.changes.length);
}

const mayConcern = ({ account }: Change, { caller, accounts }: LiveCaller): boolean =>
  caller.audience === 'staff' || account === everyone || accounts.has(account);

/** Divides them into callers of one audience that one message asks for. */
export function groupsOf(deliveries: Delivery[]): Delivery[][] {
  const groups: Delivery[][] = [];
  for (const ofAudience of Map.groupBy(deliveries, ({ caller }) => caller.caller.audience).values()) {
    let group: Delivery[] = [];
    let count = 0;
    for (const delivery of ofAudience) {
      const own = countConditions(delivery);
      if (group.length === 0 || group.length >= callers || count + own > conditions) {
        group = [];
        groups.push(group);
        count = 0;
      }
      group.push(delivery);
      count += own;
    }
  }
  return groups;
}

/** Conditions that others have as well count again, which makes a group smaller than it could be. */
const countConditions = ({ listeners }: Delivery): number =>
  listeners.reduce(
    (sum, { channel }) => sum + channel.bindings.reduce((of, { filter }) => of + filter.conditions.length, 0),
    0,
  );
