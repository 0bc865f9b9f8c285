/** A design: what the builder lets a customer choose, read from a quote's `customization` and `colors`. */
import type { Player } from '../../../schema/database.ts';
import { inWords } from '../format.ts';
import { addSizes, readSize } from './sizes.ts';

export type { Player };

export interface Design {
  chestText: string;
  /** The code of a graphic of the library; empty for none. */
  graphic: string;
  /** One of `patterns`, or what another builder has written. */
  pattern: string;
  primary: string;
  secondary: string;
  accent: string;
  players: Player[];
}

/** Colors of fabric, by name. */
export const palette: Record<string, string> = {
  Navy: '#14284b',
  Royal: '#1f4fbf',
  Sky: '#6fb7e9',
  Red: '#c2202e',
  Maroon: '#6b1a2b',
  Orange: '#e8681a',
  Gold: '#f0b323',
  Kelly: '#1c8a4a',
  Forest: '#124a32',
  Purple: '#51298a',
  Black: '#17181b',
  Graphite: '#4c5158',
  Silver: '#b9bfc7',
  White: '#ffffff',
};

/** Returns the name of a color; a color that isn't ours is called by its code. */
export const colorName = (color: string): string =>
  Object.entries(palette).find(([, code]) => code === color.toLowerCase())?.[0] ?? color;

/** Returns pattern, colors and logo in words: "Sash · Navy, White, Gold · Eagle". */
export const describeLooks = ({ pattern, primary, secondary, accent }: Design, logo = ''): string =>
  [pattern && inWords(pattern), [primary, secondary, accent].map(colorName).join(', '), logo]
    .filter(Boolean)
    .join(' · ');

/** Patterns that are offered, and how they are called. */
export const patterns = {
  ...{ '': 'Plain', pinstripes: 'Pinstripes', hoops: 'Hoops', sash: 'Sash', halves: 'Halves' },
  ...{ chevron: 'Chevron', yoke: 'Yoke' },
};

export const emptyDesign: Design = {
  chestText: '',
  graphic: '',
  pattern: '',
  primary: '#14284b',
  secondary: '#ffffff',
  accent: '#f0b323',
  players: [],
};

type Fields = Record<string, unknown>;

/** Returns the fields of an object, and none of any other value. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (...values: unknown[]): string => values.find(value => typeof value === 'string') ?? '';
/** Returns the word of a color or a part of an address. Other builders may store a number, or an object with a name. */
export const wordOf = (value: unknown): string =>
  typeof value === 'number' ? String(value) : textOf(value, fieldsOf(value)['name'], fieldsOf(value)['hex']);
const colorOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : otherwise;

/** Returns the design of any quote. Whatever other builders have written, what is missing or invalid is the default. */
export function readDesign(customization: unknown, colors: unknown): Design {
  const { jersey, players, team } = fieldsOf(customization);
  const { text, graphics, pattern } = fieldsOf(jersey);
  const { primary, secondary, accent } = fieldsOf(colors);
  return {
    chestText: textOf(text, team),
    graphic: textOf(...listOf(graphics)),
    pattern: textOf(pattern),
    primary: colorOf(primary, emptyDesign.primary),
    secondary: colorOf(secondary, emptyDesign.secondary),
    accent: colorOf(accent, emptyDesign.accent),
    players: listOf(players).map(fieldsOf).map(readPlayer),
  };
}

/** Returns the team, whose name is on the chest or where other builders store it, and the first other name of a quote. */
export const whoOf = (customization: unknown, ...others: (string | null)[]): string =>
  [...new Set([readDesign(customization, null).chestText, others.find(Boolean)])].filter(Boolean).join(' · ');

const readPlayer = ({ name, number, size }: Fields): Player => ({
  name: textOf(name),
  number: typeof number === 'number' ? String(number) : textOf(number),
  size: readSize(textOf(size)),
});

/** How an issue names the roster. */
export const playersPath = 'customization.players';

/** Whether anything is known of a player: a row that was only added says nothing. */
export const isListed = (player: Player): boolean => Object.values(player).some(text => text !== '');

/** Returns how many jerseys are asked for. Other builders may have stored a count without a list of players. */
export const countUnits = (
  players: Player[],
  quote?: { customization: unknown; roster_count: number | null },
): number =>
  players.length > 0 || fieldsOf(quote?.customization)['players'] !== undefined
    ? players.filter(isListed).length
    : (quote?.roster_count ?? 0);

/**
 * Returns the columns of a quote that describe a design. What other builders have written into its `customization` stays, and
 * so do its counts while it has no list of players.
 */
export function columnsOf(design: Design, customization: unknown = {}) {
  const { chestText, graphic, pattern, players, ...colors } = design;
  const fields = fieldsOf(customization);
  const looks = { text: chestText, graphics: graphic ? [graphic] : [], pattern };
  const jersey = { ...fieldsOf(fields['jersey']), ...looks };
  const listed = players.filter(isListed);
  if (listed.length === 0 && fields['players'] === undefined) {
    return { customization: { ...fields, jersey }, colors };
  }
  return {
    customization: { ...fields, jersey, players: listed.map(player => ({ ...player })) },
    colors,
    roster_count: listed.length,
    size_breakdown: Object.fromEntries(
      addSizes(listed.map(({ size }) => [size, 1])).filter(([size]) => size !== ''),
    ),
  };
}
