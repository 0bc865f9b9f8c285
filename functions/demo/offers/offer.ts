/** An offer as it was made: what is in it, and how it differs from another one. */
import { inWords, money, players } from '../format.ts';
import { colorName, type Design, fieldsOf, type Player, readDesign, wordOf } from '../jersey/design.ts';
import { describeSizes } from '../jersey/sizes.ts';
import type { Library } from '../use-library.ts';
import type { OfferRow } from './history.ts';

/** What is shown of an offer, or of the quote that it was made for. */
export type Terms = Omit<OfferRow, 'number' | 'product_id' | 'design_id' | 'created_at'> & {
  design: Design;
  logo: Library[number] | undefined;
};

export type Offer = Terms & OfferRow;

/** Returns an offer with its design, and the logo that the library has of it. */
export function offerOf(row: OfferRow, library: Library | null): Offer {
  const design = readDesign(row.customization, row.colors);
  return { ...row, design, logo: library?.find(({ code }) => code === design.graphic) };
}

/** Texts of the one offer and of the other; an empty one is missing. */
type Pair = [before: string, after: string];

/** Returns what is in an offer by labels, which are the same for each offer. An empty text is missing. */
export function termsOf({ design, logo, ...offer }: Terms): Record<string, string> {
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

/** Returns what differs, by labels, and the labels of what is the same in both. */
export function compareOffers(
  before: Offer,
  after: Offer,
): { differences: [string, Pair[]][]; same: string[] } {
  const terms = termsOf(after);
  const all = [
    ...Object.entries(termsOf(before)).map(([label, text]): [string, Pair[]] => [
      label,
      different([[text, terms[label] ?? '']]),
    ]),
    ['Players', comparePlayers(before.design.players, after.design.players)],
    ['Other details of the design', compareDetails(before, after)],
  ] satisfies [string, Pair[]][];
  return {
    differences: all.filter(([, pairs]) => pairs.length > 0),
    same: all.filter(([label, pairs]) => pairs.length === 0 && terms[label] !== '').map(([label]) => label),
  };
}

const different = (pairs: Pair[]): Pair[] => pairs.filter(([before, after]) => before !== after);

/** Returns a player in words: "7 Kim, XL". */
export const describePlayer = ({ name, number, size }: Player): string =>
  [`${number} ${name}`.trim() || 'No name', size].filter(Boolean).join(', ');

/** By what a player of one roster is found in another one, the surest first. */
const likenesses: (keyof Player)[][] = [['name', 'number', 'size'], ['name', 'number'], ['name'], ['number']];

/** Returns the players that differ: who changed side by side, then who left, then who is new. */
function comparePlayers(before: Player[], after: Player[]): Pair[] {
  let left = before;
  const right = [...after];
  const found: Pair[] = [];
  for (const fields of likenesses) {
    left = left.filter(player => {
      const isAlike = (other: Player) => fields.every(field => player[field] === other[field]);
      const place = fields.some(field => player[field] !== '') ? right.findIndex(isAlike) : -1;
      const [other] = place < 0 ? [] : right.splice(place, 1);
      if (other) {
        found.push([describePlayer(player), describePlayer(other)]);
      }
      return !other;
    });
  }
  return [
    ...different(found),
    ...left.map((player): Pair => [describePlayer(player), '']),
    ...right.map((player): Pair => ['', describePlayer(player)]),
  ];
}

/** Compares what else builders have written into the designs: the first twenty values that differ. */
function compareDetails(before: Offer, after: Offer): Pair[] {
  const [old, now] = [detailsOf(before), detailsOf(after)];
  const without = (lines: string[], others: Set<string>) =>
    lines
      .filter(line => !others.has(line))
      .map(line => line.slice(0, 80))
      .slice(0, 20)
      .join('\n');
  return different([[without(old, new Set(now)), without(now, new Set(old))]]);
}

const detailsOf = ({ product_id, design_id, customization }: Offer): string[] =>
  linesOf({ product: product_id, template: design_id, design: customization }).filter(
    line => !/^design\.(players\.|jersey\.text:|jersey\.(graphics\.0|pattern):)/.test(line),
  );

/** Returns the values in an object: "design.jersey.fabric: mesh". */
const linesOf = (value: unknown, path: string[] = []): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => linesOf(inner, [...path, key]))
    : [`${path.join('.')}: ${value}`];
