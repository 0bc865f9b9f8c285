/** The few parts that the chart is drawn of. Lengths are pixels. */

export const colours = {
  ours: '#0f766e',
  oursLight: '#99d5ce',
  PostgREST: '#b45309',
  PostgRESTLight: '#f0c69a',
  text: '#0f172a',
  quiet: '#475569',
  behind: '#b91c1c',
};

/** Something drawn, and how much of the height it takes. */
export interface Drawing {
  svg: string;
  height: number;
}

export interface Style {
  fill?: string;
  size?: number;
  bold?: boolean;
  anchor?: 'end';
}

export function text(x: number, y: number, content: string | Piece[], style: Style = {}): string {
  const { fill = colours.text, size = 12, bold, anchor } = style;
  const weight = bold ? ' font-weight="600"' : '';
  const end = anchor ? ` text-anchor="${anchor}"` : '';
  const inner = typeof content === 'string' ? escapeXml(content) : content.map(span).join('');
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${fill}"${weight}${end}>${inner}</text>`;
}

/** A part of a text; where ours is behind, it is bold and has the colour for that. */
export interface Piece {
  text: string;
  behind?: boolean;
}

const span = ({ text, behind }: Piece): string =>
  behind ? `<tspan fill="${colours.behind}" font-weight="700">${escapeXml(text)}</tspan>` : escapeXml(text);

export const rect = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}"/>`;

const round = (length: number): number => Math.round(length * 10) / 10;

const escapeXml = (content: string): string => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Lines of whole words, of so many characters at most. */
export function wrap(content: string, characters: number): string[] {
  const lines: string[] = [];
  for (const word of content.split(' ').filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= characters) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
