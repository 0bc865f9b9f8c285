/** Texts of any characters of Unicode, for property tests. */
import fc from 'fast-check';

/** Surrogates are no characters. fast-check's own unit `binary` lists all of them first, which takes 0.7 s at each use. */
const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10_ffff }))
  .map(code => String.fromCodePoint(code));

export const anyText = (constraints: fc.StringConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter });
