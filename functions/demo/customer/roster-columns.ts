/** What the columns of a table are, and the players that come of it. */
import { isListed, type Player } from '../jersey/design.ts';
import { isSize, readSize } from '../jersey/sizes.ts';
import type { Row } from './roster-file.ts';

export type Use = 'name' | 'first' | 'last' | 'number' | 'size' | 'quantity' | '';

/** What a column can be used as, and how that is called. */
export const uses: Record<Use, string> = {
  ...{ '': 'Not used', name: 'Name', first: 'First name', last: 'Last name' },
  ...{ number: 'Number', size: 'Size', quantity: 'Quantity' },
};

/** Titles in several languages: lower case, without accents and spaces. */
const titles = {
  first:
    'firstname first givenname forename vorname prenom primernombre nombredepila primeironome voornaam fornamn fornavn imie',
  last: 'lastname last surname familyname nachname familienname zuname nomfamille apellido apellidos cognome sobrenome apelido achternaam efternamn etternavn efternavn nazwisko',
  name: 'name names fullname player players spieler spielername nom nomcomplet joueur nombre nombrecompleto jugador jugadora nome nomecompleto giocatore jogador naam speler namn navn spelare spiller',
  number:
    'number num no nr n # jersey numero nummer ruckennummer trikotnummer spielernummer dorsal rugnummer numer',
  size: 'size sizes grosse groesse trikotgrosse konfektionsgrosse taille talla tamano tamanho taglia misura maat storlek storrelse rozmiar',
  quantity:
    'quantity qty pieces pcs units anzahl menge stuck stk stuckzahl quantite qte cantidad cant quantita qta quantidade qtd aantal antal antall ilosc',
};
const useOf = new Map(
  Object.entries(titles).flatMap(([use, words]) => words.split(' ').map(word => [word, use as Use])),
);

/** Words that say no more than that a title is of a jersey or its player. */
const fillers =
  'player players jersey shirt t uniform back on for the trikot spieler joueur maillot jugador camiseta giocatore maglia jogador camisa de del do du';

/** Returns what the title of a column says that it is: "Jersey #" is a number, "Größe (Trikot)" a size. */
function readTitle(title: string): Use {
  const plain = title
    .replaceAll(/\(.*?\)/g, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o');
  const words = plain.match(/[\p{L}\p{N}]+|#/gu) ?? [];
  return (
    useOf.get(words.join('')) ??
    useOf.get(words.filter(word => !fillers.split(' ').includes(word)).join('')) ??
    ''
  );
}

const isNumber = (cell: string): boolean => /^#?\d{1,3}$/.test(cell);

export interface Guess {
  columns: Use[];
  /** Whether the first row has the titles of the columns; undefined when it may as well be a player. */
  hasTitles: boolean | undefined;
}

/** Returns what the columns seem to be, and the first row. The user decides. */
export function guessColumns(rows: Row[]): Guess {
  const width = rows.reduce(
    (most, { cells }) => Math.max(most, 1 + cells.findLastIndex(cell => cell !== '')),
    0,
  );
  const first = Array.from({ length: width }, (_, column) => rows[0]?.cells[column] ?? '');
  const titled = once(first.map(readTitle));
  const seen = first.map((_, column) => readCells(rows.slice(rows.length > 1 ? 1 : 0, 100), column));
  if (titled.some(use => use !== '')) {
    return { columns: nameOne(pairNames(titled), seen), hasTitles: true };
  }
  const isPlayer =
    rows.length === 1 ||
    first.some((cell, column) => isNumber(cell) || isSize(cell) || (cell === '' && seen[column] !== ''));
  const hasTitles = isPlayer ? false : seen.some(use => use !== '') || undefined;
  return { columns: fillIn(once(seen)), hasTitles };
}

/** Returns what the cells of a column say that it is, if it is a number or a size. */
function readCells(rows: Row[], column: number): Use {
  const filled = rows.map(({ cells }) => cells[column] ?? '').filter(cell => cell !== '');
  return filled.length === 0 ? '' : filled.every(isNumber) ? 'number' : filled.every(isSize) ? 'size' : '';
}

/** Leaves a use to the first of its columns. */
const once = (columns: Use[]): Use[] => columns.map((use, at) => (columns.indexOf(use) === at ? use : ''));

/** If no title says that it is a name's, the first column of words is. */
function nameOne(columns: Use[], seen: Use[]): Use[] {
  const words = columns.findIndex((use, at) => use === '' && seen[at] === '');
  return words === -1 || ['name', 'first', 'last'].some(use => columns.includes(use as Use))
    ? columns
    : columns.with(words, 'name');
}

/** A name beside a first name is the last one, and the other way around. */
function pairNames(columns: Use[]): Use[] {
  const [hasFirst, hasLast] = [columns.includes('first'), columns.includes('last')];
  const meant: Partial<Record<Use, Use>> =
    hasFirst && hasLast && columns.includes('name')
      ? { first: '', last: '' }
      : { name: hasFirst ? 'last' : hasLast ? 'first' : 'name' };
  return columns.map(use => meant[use] ?? use);
}

/** Without titles, the columns are name, number and size in this order, as far as they don't look like something else. */
function fillIn(columns: Use[]): Use[] {
  const filled = [...columns];
  const name = filled.indexOf('');
  if (name !== -1) {
    filled[name] = 'name';
  }
  for (const [at, use] of [
    [1, 'number'],
    [2, 'size'],
  ] as const) {
    if (filled[at] === '' && !filled.includes(use)) {
      filled[at] = use;
    }
  }
  return filled;
}

/** Players of a roster, at most. */
export const mostPlayers = 1000;
export const tooManyPlayers = `A roster has at most ${mostPlayers} players.`;

interface Read {
  players: Player[];
  /** Why the players can't be added. */
  problem?: string;
  /** Lines of rows that add nobody. */
  skipped: number[];
}

/** Returns the players of a table without titles. A row with a quantity is that many players. "00" stays "00". */
export function readPlayers(rows: Row[], columns: Use[]): Read {
  const players: Player[] = [];
  const skipped: number[] = [];
  for (const { line, cells } of rows) {
    const cell = (use: Use) => cells[columns.indexOf(use)] ?? '';
    const player = {
      name: [cell('first'), cell('name'), cell('last')].filter(Boolean).join(' '),
      number: cell('number').replace(/^#/, ''),
      size: readSize(cell('size')),
    };
    const quantity = cell('quantity');
    if (!/^(?:\d+(?:[.,]0+)?)?$/.test(quantity)) {
      return { players: [], skipped, problem: `Line ${line}: “${quantity}” is not a quantity.` };
    }
    const count = isListed(player) ? Number.parseInt(quantity || '1', 10) : 0;
    if (count === 0) {
      skipped.push(line);
    }
    if (players.length + count > mostPlayers) {
      return { players: [], skipped, problem: tooManyPlayers };
    }
    players.push(...Array.from({ length: count }, () => player));
  }
  return { players, skipped };
}

/** Returns the players that a roster lacks. It has a player by name and number, else by size, as often as it lists one. */
export function withoutPresent(players: Player[], present: Player[]): Player[] {
  const keyOf = ({ name, number, size }: Player) => `${number} ${name}`.trim().toLowerCase() || size;
  const keys = present.map(keyOf);
  return players.filter(player => {
    const place = keys.indexOf(keyOf(player));
    if (place >= 0) {
      keys.splice(place, 1);
    }
    return place < 0;
  });
}
