/** What the customer, the staff and programs of a quote may do, as random data. */
import fc from 'fast-check';

/** Whoever writes: a customer, a member of the staff, or a program with the secret key. */
export type Side = 'customer' | 'staff' | 'service';

/** A column that names something of what was read: the version, the submission, the offer, or the price. */
export type NameColumn = 'updated_at' | 'submitted_at' | 'quoted_at' | 'total_price';

export interface Write {
  is: 'write';
  side: Side;
  /** What the request names of what its side has read. */
  names: NameColumn[];
  /** Where it has the names. */
  where: 'filter' | 'body';
  /** Whether it is sent from the page that its side opened first, and not from the last. */
  isStale: boolean;
  /** Whether its filter names the id of the quote. */
  rows: 'one' | 'filtered';
  values: Record<string, unknown>;
  /** What its response shows: nothing, or only the new version (`select=updated_at`). */
  shows: 'nothing' | 'updated_at';
}
export type Action = { is: 'read'; side: Side } | { is: 'sweep' } | Write;

const nameSets: NameColumn[][] = [
  [],
  ['updated_at'],
  ['quoted_at'],
  ['total_price'],
  ['updated_at', 'submitted_at'],
];
const names = fc.oneof(
  fc.constant<NameColumn[]>([]),
  fc.constantFrom(...nameSets),
  fc.subarray<NameColumn>(['updated_at', 'submitted_at', 'quoted_at', 'total_price']),
);
const where = fc.constantFrom<Write['where']>('filter', 'body', 'body');
const shows = fc.constantFrom<Write['shows']>('nothing', 'nothing', 'updated_at');
const rows = fc.constantFrom<Write['rows']>('one', 'one', 'one', 'one', 'one', 'one', 'filtered');
const isStale = fc.constantFrom(false, false, true);

const write = (side: Side, values: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Write> =>
  fc.record({
    is: fc.constant('write' as const),
    side: fc.constant(side),
    ...{ names, where, isStale, rows, values, shows },
  });

const terms = fc.oneof(
  fc.constantFrom(5, 500).map(roster_count => ({ roster_count })),
  fc.constantFrom('M', 'XL').map(size => ({ size_breakdown: { [size]: 1 } })),
  fc.constantFrom('Ann', 'Bob').map(name => ({ customization: { roster: [name] } })),
  fc.constantFrom('red', null).map(primary => ({ colors: primary && { primary } })),
  fc.constantFrom(true, false).map(rush_order => ({ rush_order })),
  fc.constantFrom('baseball', 'golf').map(sport => ({ sport })),
);
const currencies = fc.constantFrom('USD', 'VND').map(currency => ({ currency }));
const content = fc.oneof(terms, terms, terms, currencies);
const notes = fc.oneof(
  fc.constantFrom('soon', 'twice as many').map(customer_notes => ({ customer_notes })),
  fc.constantFrom('standard', 'express').map(delivery_method => ({ delivery_method })),
  fc.constantFrom('https://a.test', null).map(preview_front_url => ({ preview_front_url })),
  fc.constantFrom('a', 'b').map(tool_2d => ({ tool_2d })),
);
const moveTo = (...statuses: string[]) => fc.constantFrom(...statuses).map(status => ({ status }));
const prices = fc.record({ unit_price: fc.constantFrom(1, 2), total_price: fc.constantFrom(10, 1000) });
const currency = fc.constantFrom<object[]>({}, {}, { currency: 'USD' }, { currency: 'VND' });
const price = fc.tuple(prices, currency).map(([prices, more]) => ({ ...prices, ...more }));
const partOfPrice = fc.oneof(
  price,
  fc.constantFrom(10, 1000, null).map(total_price => ({ total_price })),
  fc.constantFrom(1, 2, null).map(unit_price => ({ unit_price })),
);
const end = fc.constantFrom('2020-01-01T00:00:00+00:00', '2999-01-01T00:00:00+00:00', null);
const ends = end.map(expires_at => ({ expires_at }));
const deletions = fc.constantFrom('2026-01-01T00:00:00+00:00', null).map(deleted_at => ({ deleted_at }));
const steps = fc.constantFrom('preparing', 'delivered', null).map(step => ({ fulfillment_status: step }));
const deliveries = end.map(estimated_delivery_at => ({ estimated_delivery_at }));
const both = <A extends object, B extends object>(one: fc.Arbitrary<A>, other: fc.Arbitrary<B>) =>
  fc.tuple(one, other).map(([a, b]): Record<string, unknown> => Object.assign({}, a, b));

const read = fc.record({
  is: fc.constant('read' as const),
  side: fc.constantFrom<Side>('customer', 'staff', 'service'),
});
const often = (weight: number, arbitrary: fc.Arbitrary<Action>) => ({ weight, arbitrary });

export const action: fc.Arbitrary<Action> = fc.oneof(
  often(9, read),
  often(1, fc.constant({ is: 'sweep' as const })),
  often(4, write('customer', content)),
  often(2, write('customer', notes)),
  often(5, write('customer', moveTo('submitted', 'submitted', 'draft', 'rejected', 'cancelled'))),
  often(4, write('customer', moveTo('approved'))),
  often(2, write('customer', both(moveTo('submitted'), notes))),
  often(2, write('customer', both(moveTo('draft'), fc.oneof(content, notes)))),
  often(1, write('customer', deletions)),
  often(6, write('staff', both(moveTo('quoted'), price))),
  often(2, write('staff', both(moveTo('quoted'), fc.oneof(fc.constant({}), partOfPrice)))),
  often(3, write('staff', partOfPrice)),
  often(2, write('staff', content)),
  often(2, write('staff', moveTo('draft', 'submitted', 'approved', 'ordered', 'cancelled', 'expired'))),
  often(1, write('staff', both(moveTo('approved', 'ordered'), partOfPrice))),
  often(1, write('staff', both(moveTo('ordered', 'cancelled', 'quoted'), content))),
  often(1, write('staff', both(moveTo('submitted'), partOfPrice))),
  often(1, write('staff', ends)),
  often(1, write('staff', both(moveTo('quoted'), both(price, ends)))),
  often(1, write('staff', deletions)),
  often(1, write('staff', fc.oneof(steps, deliveries))),
  often(1, write('service', both(moveTo('quoted'), price))),
  often(1, write('service', partOfPrice)),
  often(1, write('service', moveTo('submitted', 'quoted', 'ordered'))),
  often(1, write('service', content)),
);
