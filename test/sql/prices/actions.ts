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
const prices = fc.record({ unit_price: fc.constantFrom(1, 2), total_price: fc.constantFrom(10, 1000) });
const currency = fc.constantFrom<object[]>({}, {}, { currency: 'USD' }, { currency: 'VND' });
const price = fc.tuple(prices, currency).map(([prices, more]) => ({ ...prices, ...more }));
const partOfPrice = fc.oneof(
  price,
  fc.constantFrom(10, 1000).map(total_price => ({ total_price })),
  fc.constantFrom(1, 2).map(unit_price => ({ unit_price })),
);
const both = <A extends object, B extends object>(one: fc.Arbitrary<A>, other: fc.Arbitrary<B>) =>
  fc.tuple(one, other).map(([a, b]): Record<string, unknown> => Object.assign({}, a, b));

const read = fc.record({
  is: fc.constant('read' as const),
  side: fc.constantFrom<Side>('customer', 'staff'),
});
const often = (weight: number, arbitrary: fc.Arbitrary<Action>) => ({ weight, arbitrary });

export const action: fc.Arbitrary<Action> = fc.oneof(
  often(8, read),
  often(1, fc.constant({ is: 'sweep' as const })),
  often(4, write('customer', content)),
  often(2, write('customer', notes)),
  often(5, write('customer', moveTo('submitted', 'submitted', 'draft', 'rejected', 'cancelled'))),
  often(4, write('customer', moveTo('approved'))),
  often(6, write('staff', both(moveTo('quoted'), price))),
  often(2, write('staff', both(moveTo('quoted'), fc.oneof(fc.constant({}), partOfPrice)))),
  often(3, write('staff', partOfPrice)),
  often(2, write('staff', content)),
  often(2, write('staff', moveTo('draft', 'submitted', 'approved', 'ordered', 'cancelled', 'expired'))),
  often(1, write('staff', both(moveTo('approved', 'ordered'), partOfPrice))),
  often(1, write('staff', both(moveTo('ordered', 'cancelled'), content))),
  often(2, write('customer', both(moveTo('submitted'), notes))),
  often(1, write('staff', both(moveTo('submitted'), partOfPrice))),
);
