/** What the random requests are put together with, from fast-check's arbitraries. */
import fc from 'fast-check';

/** One of the arbitraries, each as likely as its weight, a whole number. */
export const weighted = <T>(...choices: [weight: number, arbitrary: fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Undefined but in so many percent of all cases. */
export const sometimes = <T>(percent: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  weighted<T | undefined>([percent, arbitrary], [100 - percent, fc.constant(undefined)]);

/** A text with random parts: text`in.(${value},${value})`. */
export const text = (fixed: TemplateStringsArray, ...random: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...random).map(parts => String.raw({ raw: fixed }, ...parts));

/** From one to so many texts, joined. */
export const list = (item: fc.Arbitrary<string>, most: number, separator = ','): fc.Arbitrary<string> =>
  fc.array(item, { minLength: 1, maxLength: most }).map(items => items.join(separator));

/** The members that are not undefined. */
export const present = <T>(members: Record<string, T | undefined>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(members).filter((member): member is [string, T] => member[1] !== undefined),
  );
