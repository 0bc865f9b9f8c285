/** What the customer and the staff of a quote may do, as random data. */
import fc from 'fast-check';

export type Side = 'customer' | 'staff';

/** What a request names of what its side has read. */
export type Naming = 'nothing' | 'version' | 'price';

export interface Write {
  is: 'write';
  side: Side;
  naming: Naming;
  values: Record<string, unknown>;
}
export type Action = { is: 'read'; side: Side } | { is: 'sweep' } | Write;

const naming = fc.constantFrom<Naming>('nothing', 'nothing', 'version', 'price');

const write = (side: Side, values: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Write> =>
  fc.record({ is: fc.constant('write' as const), side: fc.constant(side), naming, values });

const content = fc.oneof(
  fc.constantFrom(5, 500).map(roster_count => ({ roster_count })),
  fc.constantFrom('M', 'XL').map(size => ({ size_breakdown: { [size]: 1 } })),
  fc.constantFrom('Ann', 'Bob').map(name => ({ customization: { roster: [name] } })),
  fc.constantFrom('USD', 'VND').map(currency => ({ currency })),
);
const notes = fc.oneof(
  fc.constantFrom('soon', 'twice as many').map(customer_notes => ({ customer_notes })),
  fc.constantFrom('standard', 'express').map(delivery_method => ({ delivery_method })),
);
const moveTo = (...statuses: string[]) => fc.constantFrom(...statuses).map(status => ({ status }));
const price = fc
  .record({ unit_price: fc.constantFrom(1, 2), total_price: fc.constantFrom(10, 1000) })
  .chain(prices =>
    fc
      .constantFrom<object[]>({}, {}, { currency: 'USD' }, { currency: 'VND' })
      .map(more => ({ ...prices, ...more })),
  );
const partOfPrice = fc.oneof(
  price,
  fc.constantFrom(10, 1000).map(total_price => ({ total_price })),
  fc.constantFrom(1, 2).map(unit_price => ({ unit_price })),
);
const both = <A extends object, B extends object>(one: fc.Arbitrary<A>, other: fc.Arbitrary<B>) =>
  fc.tuple(one, other).map(([a, b]): Record<string, unknown> => Object.assign({}, a, b));

export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constant('read' as const),
      side: fc.constantFrom<Side>('customer', 'staff'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ is: 'sweep' as const }) },
  { weight: 4, arbitrary: write('customer', content) },
  { weight: 2, arbitrary: write('customer', notes) },
  {
    weight: 5,
    arbitrary: write('customer', moveTo('submitted', 'submitted', 'draft', 'rejected', 'cancelled')),
  },
  { weight: 4, arbitrary: write('customer', moveTo('approved')) },
  { weight: 6, arbitrary: write('staff', both(moveTo('quoted'), price)) },
  { weight: 2, arbitrary: write('staff', both(moveTo('quoted'), fc.oneof(fc.constant({}), partOfPrice))) },
  { weight: 3, arbitrary: write('staff', partOfPrice) },
  { weight: 2, arbitrary: write('staff', content) },
  {
    weight: 2,
    arbitrary: write('staff', moveTo('draft', 'submitted', 'approved', 'ordered', 'cancelled', 'expired')),
  },
  { weight: 1, arbitrary: write('staff', both(moveTo('approved', 'ordered'), partOfPrice)) },
  { weight: 1, arbitrary: write('staff', both(moveTo('ordered', 'cancelled'), content)) },
  { weight: 2, arbitrary: write('customer', both(moveTo('submitted'), notes)) },
  { weight: 1, arbitrary: write('staff', both(moveTo('submitted'), partOfPrice)) },
);
