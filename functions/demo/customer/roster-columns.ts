/** What the columns of a table are, and the players that come of it. */
import { isListed, type Player } from '../jersey/design.ts';
import { isSize, readSize } from '../jersey/sizes.ts';
import { withPlainDigits } from '../text.ts';
import type { Row } from './roster-file.ts';

export type Use = 'name' | 'first' | 'last' | 'number' | 'size' | 'quantity' | '';

/** What a column can be used as, and how that is called. */
export const uses: Record<Use, string> = {
  ...{ '': 'Not used', name: 'Name', first: 'First name', last: 'Last name' },
  ...{ number: 'Number', size: 'Size', quantity: 'Quantity' },
};

/** Titles in several languages, without spaces. */
const titles = {
  first:
    'firstname first givenname forename vorname prenom primernombre nombredepila primeironome voornaam fornamn fornavn imie',
  last: 'lastname last surname familyname nachname familienname zuname nomfamille apellido apellidos cognome sobrenome apelido achternaam efternamn etternavn efternavn nazwisko фамилия прізвище',
  name: 'name names fullname player players athlete participant spieler spielername nom nomcomplet joueur nombre nombrecompleto jugador jugadora nome nomecompleto giocatore jogador naam speler namn navn spelare spiller имя фио игрок імя الاسم اسم اللاعب اسماللاعب نام 名前 氏名 選手名 姓名 名字 球员 球員 이름 선수 नाम खिलाड़ी',
  number:
    'number num no nr n # jersey numero nummer ruckennummer trikotnummer spielernummer dorsal rugnummer numer номер الرقم رقم رقماللاعب شماره 背番号 番号 号码 號碼 번호 등번호 नंबर संख्या',
  size: 'size sizes grosse groesse trikotgrosse konfektionsgrosse taille talla tamano tamanho taglia misura maat storlek storrelse rozmiar размер розмір المقاس مقاس القياس سایز اندازه サイズ 尺码 尺寸 尺碼 사이즈 साइज आकार',
  quantity:
    'quantity qty pieces pcs units anzahl menge stuck stk stuckzahl quantite qte cantidad cant quantita qta quantidade qtd aantal antal antall ilosc количество الكمية العدد تعداد 数量 枚数 數量 수량 मात्रा',
};
const letters: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ı: 'i' };

/** Returns a text in small letters without accents, so that "Ruíz" and "RUIZ" are the same. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replaceAll(/[ßøæœłđı]/g, letter => letters[letter] ?? '');

const useOf = new Map(
  Object.entries(titles).flatMap(([use, words]) => words.split(' ').map(word => [fold(word), use as Use])),
);

/** Words that say no more than that a title is of a jersey or its player. */
const fillers =
  's player players jersey shirt tshirt t kit squad adult youth uniform back on for the trikot spieler joueur maillot jugador camiseta giocatore maglia jogador camisa de del do du';

/** Returns what the title of a column says that it is: "Jersey #" is a number, "Größe (Trikot)" a size. */
function readTitle(title: string): Use {
  const words = fold(title.replaceAll(/\(.*?\)/g, '')).match(/[\p{L}\p{M}\p{N}]+|#/gu) ?? [];
  return (
    useOf.get(words.join('')) ??
    useOf.get(words.filter(word => !fillers.split(' ').includes(word)).join('')) ??
    ''
  );
}

/** What stands in a cell whose number or size is not known yet. A name may be "Na". */
const unknown = /^(?:t\.?b\.?[acd]\.?|n\.?\/?a\.?|none|nil|null|unknown|[-–—?*._ ]+)$/i;
const unknownName = /^(?:t\.?b\.?[acd]\.?|n\/a|totals?:?|[-–—?*._ ]+)$/i;

/** Returns the number on a jersey: "00" stays "00", while a spreadsheet makes 7.0 of 7 and 1E+01 of 10. */
function readNumber(cell: string): string {
  const text = withPlainDigits(cell)
    .trim()
    .replace(/^(?:#|n[or]?\b\.?)\s*(?=\d)/i, '')
    .replace(/(?<=^\d+)[.,٫]0*$/, '');
  const whole = /^\d(?:[.,]\d+)?e\+?\d\d?$/i.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  return unknown.test(text) ? '' : Number.isInteger(whole) && whole < 1000 ? String(whole) : text;
}

const isNumber = (cell: string): boolean => /^\d{1,3}$/.test(readNumber(cell));

const isAlone = ({ cells }: Row): boolean => cells.filter(cell => cell !== '').length === 1;

/** Lines above the titles of a table, at most. */
const mostAbove = 20;

/** Whether a row has titles of two uses, and neither a number nor a size. */
const isTitles = ({ cells }: Row): boolean =>
  new Set(cells.map(readTitle).filter(use => use !== '')).size > 1 &&
  !cells.some(cell => isNumber(cell) || isSize(cell));

/** Returns a table without the lines above its titles, such as the name of the team, and without titles that are repeated below. */
export function tableOf(rows: Row[]): Row[] {
  const wide = rows.findIndex(row => !isAlone(row));
  const head = rows.slice(0, mostAbove);
  const found = wide < 0 ? head.findIndex(({ cells }) => cells.some(readTitle)) : head.findIndex(isTitles);
  const first = found >= 0 ? found : wide > 0 && guessColumns(rows.slice(wide)).hasTitles ? wide : -1;
  const titles = rows[first]?.cells.join('\n');
  return rows.slice(Math.max(first, 0)).filter(({ cells }, at) => at === 0 || cells.join('\n') !== titles);
}

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
  const body = rows.slice(rows.length > 1 ? 1 : 0, 100);
  const seen = first.map((_, column) => readCells(body, column));
  const read = first.map(readTitle);
  const isCounter = (column: number) => body.every(({ cells }, at) => cells[column] === String(at + 1));
  // Beside the numbers of jerseys, "#" may count the lines.
  const isNumbered = read.some((use, at) => use === 'number' && !isCounter(at));
  const titled = once(read.map((use, at) => (use === 'number' && isNumbered && isCounter(at) ? '' : use)));
  if (titled.some(use => use !== '')) {
    const found = titled.map((use, at) => (first[at] === '' ? (seen[at] ?? '') : use));
    return { columns: nameOne(pairNames(once(found)), seen), hasTitles: true };
  }
  // A name alone above a table may be the team's.
  const isTitle = rows[0] !== undefined && isAlone(rows[0]);
  const isPlayer =
    rows.length === 1 ||
    first.some(
      (cell, column) => isNumber(cell) || isSize(cell) || (cell === '' && seen[column] !== '' && !isTitle),
    );
  const hasTitles = isPlayer ? false : (!isTitle && seen.some(use => use !== '')) || undefined;
  return { columns: fillIn(once(seen)), hasTitles };
}

/** Returns what the cells of a column say that it is, if it is a number or a size. */
function readCells(rows: Row[], column: number): Use {
  const filled = rows
    .map(({ cells }) => cells[column] ?? '')
    .filter(cell => cell !== '' && !unknown.test(cell));
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
    const names = [cell('first'), cell('name'), cell('last')];
    const player = {
      name: names.filter(name => name !== '' && !unknownName.test(name)).join(' '),
      number: readNumber(cell('number')),
      size: unknown.test(cell('size')) ? '' : readSize(withPlainDigits(cell('size'))),
    };
    const quantity = readNumber(cell('quantity'));
    if (!/^\d*$/.test(quantity)) {
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

/** Returns what a player is known by: the words of the name in any order, the number, and the size. */
const keyOf = ({ name, number, size }: Player) => ({
  name: fold(name)
    .split(/[\s,;.]+/)
    .sort()
    .join(' ')
    .trim(),
  ...{ number, size },
});

type Key = ReturnType<typeof keyOf>;

/** Whether two may be the same player: by the name, unless their numbers differ; without names, by the number or else the size. */
const isSame = (one: Key, other: Key): boolean =>
  one.name === other.name &&
  (one.number === other.number || (one.name !== '' && (one.number === '' || other.number === ''))) &&
  (one.name !== '' || one.number !== '' || one.size === other.size);

/** Returns the players that neither an earlier row of the list has, nor the roster, as often as it lists them. */
export function withoutKnown(players: Player[], present: Player[]): Player[] {
  const left = present.map(keyOf);
  // The players of a row with a quantity are one object.
  const rows = [...new Map(players.map(player => [player, keyOf(player)]))];
  const isRepeated = (key: Key, row: number) =>
    (key.name !== '' || key.number !== '') && rows.slice(0, row).some(([, other]) => isSame(other, key));
  const keys = new Map(rows.filter(([, key], row) => !isRepeated(key, row)));
  return players.filter(player => {
    const key = keys.get(player);
    const place = key ? left.findIndex(other => isSame(other, key)) : -1;
    if (place >= 0) {
      left.splice(place, 1);
    }
    return key !== undefined && place < 0;
  });
}
