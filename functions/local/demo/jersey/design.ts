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

export const emptyDesign: Design = {
  chestText: 'Lions',
  graphic: '',
  primary: '#14284b',
  secondary: '#ffffff',
  accent: '#f0b323',
  players: [],
};

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const textOf = (...values: unknown[]): string | undefined =>
  values.find(value => typeof value === 'string') as string | undefined;
const colorOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : otherwise;

/** Returns the design of any quote. Whatever other builders have written, what is missing or invalid is the default. */
export function readDesign(customization: unknown, colors: unknown): Design {
  const fields = fieldsOf(customization);
  const { primary, secondary, accent } = fieldsOf(colors);
  const roster = Array.isArray(fields['players']) ? fields['players'] : [];
  return {
    chestText: textOf(fields['chest_text'], fields['team']) ?? '',
    graphic: textOf(fields['graphic']) ?? '',
    primary: colorOf(primary, emptyDesign.primary),
    secondary: colorOf(secondary, emptyDesign.secondary),
    accent: colorOf(accent, emptyDesign.accent),
    players: roster.map(fieldsOf).map(({ name, number, size }) => ({
      name: textOf(name) ?? '',
      number: String(number ?? ''),
      size: textOf(size) ?? '',
    })),
  };
}

/** Returns the columns of a quote that describe a design. */
export const columnsOf = ({ chestText, graphic, primary, secondary, accent, players }: Design) => ({
  customization: { chest_text: chestText, graphic, players: players.map(player => ({ ...player })) },
  colors: { primary, secondary, accent },
  roster_count: players.length,
  size_breakdown: Object.fromEntries(
    [...new Set(players.map(({ size }) => size))]
      .filter(Boolean)
      .map(size => [size, players.filter(player => player.size === size).length]),
  ),
});
