/** A roster from a spreadsheet or a CSV file. */
import type { Player } from '../jersey/design.ts';

/** Titles of columns as people write them. */
const titles: Record<keyof Player, RegExp> = {
  name: /^(player|((player|last|full|back) )?name)$/i,
  number: /^(jersey|((jersey|player|shirt|uniform) ?)?(number|num\.?|no\.?|nr\.?|#))$/i,
  size: /^((jersey|shirt|uniform) )?size$/i,
};

/**
 * Returns the players of a table. A first row of titles says which column is which; otherwise they are name, number and size.
 * "00" stays "00".
 */
export function parseRoster(text: string): Player[] {
  const separator = ['\t', ';', ','].find(candidate => text.includes(candidate)) ?? ',';
  const [first = [], ...others] = readTable(text, separator).filter(cells => cells.some(cell => cell !== ''));
  const columnOf = (field: keyof Player) => first.findIndex(cell => titles[field].test(cell));
  const titled = { name: columnOf('name'), number: columnOf('number'), size: columnOf('size') };
  const hasTitles = Object.values(titled).some(column => column !== -1);
  const columns = hasTitles ? titled : { name: 0, number: 1, size: 2 };
  const rows = hasTitles || first.length === 0 ? others : [first, ...others];
  return rows.map(cells => ({
    name: cells[columns.name] ?? '',
    number: cells[columns.number] ?? '',
    size: readSize(cells[columns.size] ?? ''),
  }));
}

/** Returns a size as we write it: "2XL" for "xx-large". A size that isn't ours stays, in capitals. */
function readSize(text: string): string {
  const size = text.toUpperCase().replaceAll(/[\s-]/g, '');
  const [, digits, letters = '', base = ''] = /^(\d*)(X*)([SML])(?:MALL|EDIUM|ARGE)?$/.exec(size) ?? [];
  if (digits === undefined) {
    return text.toUpperCase();
  }
  const count = digits ? Number(digits) : letters.length;
  return count > 1 ? `${count}X${base}` : 'X'.repeat(count) + base;
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
