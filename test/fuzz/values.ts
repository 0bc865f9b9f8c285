/** The target of a random request, and values for its columns. */
import type { Collection, Column } from '../../schema/collection.ts';
import type { Chance } from './chance.ts';
import { anyNumber, anyText, anyTime } from './texts.ts';
import { type FuzzCaller, graphicId, type Owner, owners, quoteId, quoteStatuses, rowId } from './world.ts';

export interface Subject {
  collection: Collection;
  caller: FuzzCaller;
  chance: Chance;
  /** A wild request may contain anything. A tame one is what a client would send, and mostly succeeds. */
  isWild: boolean;
}

export const namesOf = ({ collection }: Subject): string[] => Object.keys(collection.columns);

/** Mostly the caller's own, otherwise anybody's or nobody's. */
export const anyOwner = ({ caller, chance }: Subject): Owner =>
  caller.owns.length > 0 && chance.percent(60)
    ? chance.pick(caller.owns)
    : chance.pick(Object.values(owners));

export function anyKey(subject: Subject): string {
  const { collection, chance } = subject;
  switch (collection.name) {
    case 'quotes':
      return quoteId(anyOwner(subject), chance.below(quoteStatuses.length));
    case 'graphics':
      return graphicId(chance.below(5), chance.percent(50));
    default:
      return rowId(collection, anyOwner(subject), chance.below(4));
  }
}

/** An odd text in a wild request; in a tame one the value itself. */
export const oddOr = (subject: Subject, tame: string, odd = anyText): string =>
  subject.isWild ? odd(subject.chance) : tame;

/** A plausible value for a column of this type. */
export function fittingValue(subject: Subject, name: string, column: Column | undefined): string {
  const { collection, caller, chance } = subject;
  const mark = caller.owns.length > 0 && caller.kind === 'customer' ? chance.pick(caller.owns).mark : 'Eagle';
  if (name === collection.primaryKey) {
    return anyKey(subject);
  }
  if (name === 'account_id' || name === 'created_by') {
    return anyOwner(subject).account;
  }
  if (column?.type.values) {
    return chance.pick(column.type.values);
  }
  switch (column?.type.postgres) {
    case 'uuid':
      return chance.pick([
        caller.owns[0]?.account ?? owners.ann.account,
        '{A0EEBC999C0B4EF8BB6D6BB9BD380A11}',
      ]);
    case 'jsonb':
      return JSON.stringify(
        chance.pick<unknown>([{}, { primary: mark }, { M: 3 }, { street: mark }, { team: { a: [1] } }]),
      );
    case 'text[]':
      return chance.pick(['{}', '{bird}', '{"a b",c}']);
    case 'boolean':
      return chance.pick(['true', 'false', 't', 'no', '1']);
    case 'integer':
    case 'bigint':
    case 'numeric':
      return oddOr(subject, chance.pick(['0', '1', '11', '12']), anyNumber);
    case 'date':
    case 'timestamp with time zone':
      return oddOr(subject, chance.pick(['2026-06-01', '2026-05-19T22:00:00Z', '2026-05-20']), anyTime);
    default:
      return name === 'quote_number'
        ? `QT-2026-${10_000 + chance.below(9)}`
        : chance.pick([mark, 'Eagle', 'EAGLE-1', 'USD', 'golf', 'x']);
  }
}

export const columnOf = ({ collection }: Subject, name: string): Column | undefined =>
  Object.hasOwn(collection.columns, name) ? collection.columns[name] : undefined;
