/** An offer as it was made: what is in it, and how it differs from another one. */
import { inWords, money, players } from '../format.ts';
import { colorName, type Design, fieldsOf, type Player, readDesign, wordOf } from '../jersey/design.ts';
import { describeSizes } from '../jersey/sizes.ts';
import type { Library } from '../use-library.ts';
import type { OfferRow } from './history.ts';

export type Offer = OfferRow & { design: Design; logo: Library[number] | undefined };

/** Returns an offer with its design, and the logo that the library has of it. */
export function offerOf(row: OfferRow, library: Library | null): Offer {
  const design = readDesign(row.customization, row.colors);
  return { ...row, design, logo: library?.find(({ code }) => code === design.graphic) };
}

/** Returns what is in an offer by labels, which are the same for each offer. An empty text is missing. */
export function termsOf({ design, logo, ...offer }: Offer): Record<string, string> {
  const { primary, secondary, accent, accent2, accent3 } = fieldsOf(offer.colors);
  const { unit_price, total_price, currency, roster_count, size_breakdown, rush_order } = offer;
  return {
    Total: total_price === null ? '' : money(total_price, currency),
    Each: unit_price === null ? '' : money(unit_price, currency),
    'Number of players': roster_count === null ? '' : players(roster_count),
    Sizes: describeSizes(design.players, size_breakdown),
    'Rush order': rush_order ? 'Yes' : 'No',
    Sport: inWords(offer.sport),
    Text: design.chestText,
    Pattern: inWords(design.pattern),
    Logo: logo?.name ?? design.graphic,
    Fabric: colorName(wordOf(primary) || design.primary),
    'Letters and trim': colorName(wordOf(secondary) || design.secondary),
    Outline: colorName(wordOf(accent) || design.accent),
    'Fourth color': wordOf(accent2),
    'Fifth color': wordOf(accent3),
  };
}

/** Returns a player in words: "7 Kim, XL". */
export const describePlayer = ({ name, number, size }: Player): string =>
  [`${number} ${name}`.trim() || 'No name', size].filter(Boolean).join(', ');

/** Returns what differs, with what the one offer has and the other one has not, as text. */
export function compareOffers(before: Offer, after: Offer): [label: string, was: string, is: string][] {
  const [old, now] = [linesOf(before), linesOf(after)];
  return Object.entries(now)
    .map(([label, lines]): [string, string, string] => {
      const others = old[label] ?? [];
      return [label, without(others, new Set(lines)), without(lines, new Set(others))];
    })
    .filter(([, was, is]) => was !== is);
}

/** Returns the first twenty lines that the others have not. */
const without = (lines: string[], others: Set<string>): string =>
  lines
    .filter(line => !others.has(line))
    .map(line => line.slice(0, 80))
    .slice(0, 20)
    .join('\n');

/** Returns what is compared, by labels: the terms, the players, and what else builders have written into the design. */
const linesOf = (offer: Offer): Record<string, string[]> => ({
  ...Object.fromEntries(Object.entries(termsOf(offer)).map(([label, text]) => [label, [text]])),
  Players: offer.design.players.map(describePlayer),
  'Other details of the design': valuesOf({
    ...{ product: offer.product_id, template: offer.design_id, design: offer.customization },
  }).filter(line => !/^design\.(players\.|jersey\.text:|jersey\.(graphics\.0|pattern):)/.test(line)),
});

/** Returns the values in an object: "design.jersey.fabric: mesh". */
const valuesOf = (value: unknown, path: string[] = []): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => valuesOf(inner, [...path, key]))
    : [`${path.join('.')}: ${value}`];
