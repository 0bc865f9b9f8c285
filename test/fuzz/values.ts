/** The target of a random request, and values for its columns. */
import fc from 'fast-check';
import type { Collection } from '../../schema/collection.ts';
import { weighted } from './arbitraries.ts';
import { anyNumber, anyTime } from './texts.ts';
import { type FuzzCaller, graphicId, type Owner, owners, quoteId, quoteStatuses, rowId } from './world.ts';

export interface Subject {
  collection: Collection;
  caller: FuzzCaller;
  /** A wild request may contain anything. A tame one is what a client would send, and mostly succeeds. */
  isWild: boolean;
}

/** Mostly the caller's own, otherwise anybody's or nobody's. */
const anyOwner = ({ caller }: Subject): fc.Arbitrary<Owner> =>
  fc.constantFrom(...Object.values(owners), ...Array<Owner[]>(9).fill(caller.owns).flat());

export function anyKey(subject: Subject): fc.Arbitrary<string> {
  const { collection } = subject;
  switch (collection.name) {
    case 'quotes':
      return fc
        .tuple(anyOwner(subject), fc.nat(quoteStatuses.length - 1))
        .map(([owner, index]) => quoteId(owner, index));
    case 'graphics':
      return fc.tuple(fc.nat(4), fc.boolean()).map(([index, isOffered]) => graphicId(index, isOffered));
    default:
      return fc.tuple(anyOwner(subject), fc.nat(3)).map(([owner, n]) => rowId(collection, owner, n));
  }
}

/** A plausible value for a column; in a wild request also odd numbers and times. */
export function fittingValue(subject: Subject, name: string): fc.Arbitrary<string> {
  const { collection, caller, isWild } = subject;
  if (name === collection.primaryKey) {
    return anyKey(subject);
  }
  if (name === 'account_id' || name === 'created_by') {
    return anyOwner(subject).map(({ account }) => account);
  }
  if (name === 'quote_number') {
    return fc.nat(8).map(number => `QT-2026-${10_000 + number}`);
  }
  const type = Object.hasOwn(collection.columns, name) ? collection.columns[name]?.type : undefined;
  if (type?.values) {
    return fc.constantFrom(...type.values);
  }
  const marks = caller.kind === 'customer' ? caller.owns.map(owner => owner.mark) : ['Eagle'];
  switch (type?.postgres) {
    case 'uuid':
      return fc.constantFrom(
        caller.owns[0]?.account ?? owners.ann.account,
        '{A0EEBC999C0B4EF8BB6D6BB9BD380A11}',
      );
    case 'jsonb':
      return fc
        .constantFrom(...marks)
        .chain(mark =>
          fc.constantFrom<unknown>({}, { primary: mark }, { M: 3 }, { street: mark }, { team: { a: [1] } }),
        )
        .map(value => JSON.stringify(value));
    case 'text[]':
      return fc.constantFrom('{}', '{bird}', '{"a b",c}');
    case 'boolean':
      return fc.constantFrom('true', 'false', 't', 'no', '1');
    case 'integer':
    case 'bigint':
    case 'numeric':
      return isWild ? anyNumber : fc.constantFrom('0', '1', '11', '12');
    case 'date':
    case 'timestamp with time zone':
      return isWild ? anyTime : fc.constantFrom('2026-06-01', '2026-05-19T22:00:00Z', '2026-05-20');
    default:
      return weighted(
        [1, fc.constantFrom(...marks)],
        [5, fc.constantFrom('Eagle', 'EAGLE-1', 'USD', 'golf', 'x')],
      );
  }
}

export const typeOf = ({ collection }: Subject, name: string): string =>
  (Object.hasOwn(collection.columns, name) && collection.columns[name]?.type.postgres) || 'jsonb';
