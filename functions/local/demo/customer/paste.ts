/** A roster from a spreadsheet or a CSV file. */
import { type Player, sizes } from '../jersey/design.ts';

/** Sizes as people write them, by ours. */
const aliases: Record<string, string> = {
  XXL: '2XL',
  XXXL: '3XL',
  SMALL: 'S',
  MEDIUM: 'M',
  LARGE: 'L',
};

/** Returns the players of a table: name, number, size. A first row of titles is left out. "00" stays "00". */
export function parseRoster(text: string): Player[] {
  const separator = ['\t', ';', ','].find(candidate => text.includes(candidate)) ?? ',';
  const rows = readTable(text, separator).filter(cells => cells.some(cell => cell !== ''));
  const isTitle = /^(player|name|number|no\.?|#|size)$/i;
  const body = rows[0]?.some(cell => isTitle.test(cell)) ? rows.slice(1) : rows;
  return body.map(([name = '', number = '', size = '']) => ({ name, number, size: readSize(size) }));
}

function readSize(text: string): string {
  const size = text.toUpperCase().replaceAll(/[\s-]/g, '');
  return aliases[size] ?? size;
}

/** Returns the order of two sizes, XS first; sizes that aren't ours come last. */
export const compareSizes = (one: string, other: string): number => rank(one) - rank(other);

function rank(size: string): number {
  const index = (sizes as readonly string[]).indexOf(size);
  return index === -1 ? sizes.length : index;
}

/** Splits a table into cells (RFC 4180): a quoted cell may hold separators, line breaks and doubled quotes. */
function readTable(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    rows.at(-1)?.push(cell.trim());
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (isQuoted && letter === '"' && text[at + 1] === '"') {
      cell += text[at++];
    } else if (letter === '"' && (isQuoted || cell === '')) {
      isQuoted = !isQuoted;
    } else if (!isQuoted && letter === separator) {
      endCell();
    } else if (!isQuoted && letter === '\n') {
      endCell();
      rows.push([]);
    } else if (isQuoted || letter !== '\r') {
      cell += letter;
    }
  }
  endCell();
  return rows;
}
