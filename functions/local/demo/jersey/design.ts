/** A design: what the builder lets a customer choose, read from a quote's `customization` and `colors`. */

export interface Player {
  name: string;
  /** Text, since "00" and "0" are two players. */
  number: string;
  size: string;
}

export interface Design {
  chestText: string;
  /** The code of a graphic of the library; empty for none. */
  graphic: string;
  primary: string;
  secondary: string;
  accent: string;
  players: Player[];
}

export const sizes = ['XS', 'S', 'M', 'L', 'XL', '2XL', '3XL'] as const;

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

export const emptyDesign: Design = {
  chestText: '',
  graphic: '',
  primary: '#14284b',
  secondary: '#ffffff',
  accent: '#f0b323',
  players: [],
};

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (...values: unknown[]): string => values.find(value => typeof value === 'string') ?? '';
const colorOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : otherwise;

/** Returns the design of any quote. Whatever other builders have written, what is missing or invalid is the default. */
export function readDesign(customization: unknown, colors: unknown): Design {
  const { jersey, players, team } = fieldsOf(customization);
  const { text, graphics } = fieldsOf(jersey);
  const { primary, secondary, accent } = fieldsOf(colors);
  return {
    chestText: textOf(text, team),
    graphic: textOf(...listOf(graphics)),
    primary: colorOf(primary, emptyDesign.primary),
    secondary: colorOf(secondary, emptyDesign.secondary),
    accent: colorOf(accent, emptyDesign.accent),
    players: listOf(players).map(fieldsOf).map(readPlayer),
  };
}

const readPlayer = ({ name, number, size }: Fields): Player => ({
  name: textOf(name),
  number: typeof number === 'number' ? String(number) : textOf(number),
  size: textOf(size),
});

/** Returns how many players wear each size, the smallest size first. */
export function countSizes(players: Player[]): Record<string, number> {
  const worn = players.map(({ size }) => size).filter(Boolean);
  return Object.fromEntries(
    [...new Set(worn)].sort(compareSizes).map(size => [size, worn.filter(other => other === size).length]),
  );
}

/** Returns the order of two sizes, XS first; sizes that aren't ours come last. */
export const compareSizes = (one: string, other: string): number => rank(one) - rank(other);

function rank(size: string): number {
  const index = (sizes as readonly string[]).indexOf(size);
  return index === -1 ? sizes.length : index;
}

/**
 * Returns the columns of a quote that describe a design. What other builders have written into its `customization` stays, and
 * so do its counts while it has no list of players.
 */
export function columnsOf({ chestText, graphic, players, ...colors }: Design, customization: unknown = {}) {
  const fields = fieldsOf(customization);
  const jersey = { ...fieldsOf(fields['jersey']), text: chestText, graphics: graphic ? [graphic] : [] };
  if (players.length === 0 && fields['players'] === undefined) {
    return { customization: { ...fields, jersey }, colors };
  }
  return {
    customization: { ...fields, jersey, players: players.map(player => ({ ...player })) },
    colors,
    roster_count: players.length,
    size_breakdown: countSizes(players),
  };
}
