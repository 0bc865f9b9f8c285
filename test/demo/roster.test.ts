import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  guessColumns,
  readPlayers,
  tableOf,
  withoutKnown,
} from '../../functions/demo/customer/roster-columns.ts';
import { readFile, readRows } from '../../functions/demo/customer/roster-file.ts';

/** Returns the players of a list, with the columns as they are guessed. */
function playersIn(text: string) {
  const rows = tableOf(readRows(text).rows);
  const { columns, hasTitles } = guessColumns(rows);
  return readPlayers(hasTitles ? rows.slice(1) : rows, columns).players;
}
const robin = { name: 'Robin Diaz', number: '00', size: 'M' };

describe('a list of players is read', () => {
  it.each([
    ['a spreadsheet of Windows', 'Robin Diaz\t00\tM\r\n\r\n'],
    ['CSV with semicolons', 'Robin Diaz;00;M'],
    ['a file that names its separator', 'sep=|\nRobin Diaz|00|M'],
    ['a spreadsheet that keeps zeros by a formula', 'Robin Diaz,"=""00""",M'],
    ['a league', 'Player Name,Jersey #,Shirt Size (adult)\nRobin Diaz,00,Adult M'],
    ['first and last names', 'First Name\tLast Name\tNumber\tSize\nRobin\tDiaz\t00\tM'],
    ['German', 'Vorname;Name;Nummer;Größe\nRobin;Diaz;00;M'],
    [
      'a title, a date and an empty line above',
      'Tigers Roster\nSpring 2026;;\n\nName;No.;Size\nRobin Diaz;00;M',
    ],
    ['a title above a language that is not known', 'Risovi 2026\nIme;Broj;Veličina\nRobin Diaz;00;M'],
    ['titles that are repeated on each page', 'Name;No;Size\nRobin Diaz;00;M\nName;No;Size\n'],
    ['lines that are counted', '#;Name;Jersey;Size\n1;Robin Diaz;00;M'],
    ['a number without a title', 'Name;;Size\nRobin Diaz;00;M'],
    ['numbers of words', "Player's name;Nº;Size\nRobin Diaz;Nº 00;M"],
    ['an apostrophe that keeps zeros', "Robin Diaz,'00,M"],
    ['invisible letters', '\u200BRobin\u00AD Diaz\uFEFF,\u200E00,\u2060M'],
    ['Arabic, with its commas', 'الاسم،الرقم،المقاس\nRobin Diaz،٠٠،M'],
    ['Persian', 'نام\tشماره\tسایز\nRobin Diaz\t۰۰\tM'],
    ['Hindi', 'नाम,नंबर,साइज\nRobin Diaz,००,M'],
    ['Japanese', '名前，背番号，サイズ\nRobin Diaz，００，Ｍ'],
    ['Russian', 'Фамилия;Имя;Номер;Размер\nDiaz;Robin;00;M'],
    ['decomposed letters', 'Name;Nummer;Größe\nRobin Diaz;00;M'.normalize('NFD')],
    ['a language that is not known, by what is in the columns', 'Ime;Broj;Veličina\nRobin Diaz;00;M'],
  ])('from %s', (_, text) => {
    expect(playersIn(text)).toEqual([robin]);
  });

  it('without the title above, also where only one column is known, or there is one', () => {
    expect(playersIn('Team: Tigers\nName\nRobin\nKim\nTotal').map(({ name }) => name)).toEqual([
      'Robin',
      'Kim',
    ]);
    expect(playersIn('Players\nAge;Name;Shoes\n12;Robin Diaz;40')).toEqual([
      { ...robin, number: '', size: '' },
    ]);
  });

  it('whatever the line breaks are, also when they are mixed', () => {
    const text = 'Name,Number\r\nRobin,1\nSam,2\rKim,3\r\nAlex,4';
    expect(playersIn(text).map(({ number }) => number)).toEqual(['1', '2', '3', '4']);
  });

  it('with separators, line breaks and quotes inside of quotes', () => {
    expect(playersIn('"Okafor; Sam",7,XL\n"Diaz, ""Rob""\nJr",8,S')).toEqual([
      { name: 'Okafor; Sam', number: '7', size: 'XL' },
      { name: 'Diaz, "Rob" Jr', number: '8', size: 'S' },
    ]);
  });

  it('with each written player, whatever its name, its number and the separator are', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 20 })
      .map(text => `x${text.replaceAll(/[\s\p{C}]/gu, '')}`);
    const player = fc.record({
      name,
      number: fc.stringMatching(/^\d{1,3}$/),
      size: fc.constantFrom('S', 'YM', '2XL'),
    });
    fc.assert(
      fc.property(
        fc.array(player, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(',', ';', '\t'),
        (all, separator) => {
          const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
          const lines = all.map(({ name, number, size }) => [quote(name), number, size].join(separator));
          expect(playersIn(['Name;Number;Size'.replaceAll(';', separator), ...lines].join('\n'))).toEqual(
            all,
          );
        },
      ),
    );
  });
});

describe('a row of a list', () => {
  it('with a quantity is that many jerseys, and one where the quantity is empty', () => {
    const players = playersIn('Name,Qty,Size\nRobin,3,M\nSam,,L\nKim,0,S\nAlex,2.0,M');
    expect(players.map(({ name }) => name)).toEqual(['Robin', 'Robin', 'Robin', 'Sam', 'Alex', 'Alex']);
  });

  it.each([
    ['"closed" early', 'Name,Number\r"Sam" Okafor,7\rKim,9', 'Line 2: '],
  ])('with a quote that is %s is refused, with its line', (_, text, problem) => {
    expect(readRows(text)).toEqual({ rows: [], problem: expect.stringContaining(problem) });
  });

  it('with a quantity that is no number is refused, with its line', () => {
    const { rows } = readRows('sep=;\nName;Qty\n"Robin\nDiaz";1\nSam;two');
    const { columns } = guessColumns(rows);
    expect(readPlayers(rows.slice(1), columns)).toMatchObject({
      players: [],
      problem: 'Line 5: “two” is not a quantity.',
    });
  });

  it('of a text that is far too long is not read', () => {
    expect(readRows('Kim\n'.repeat(600_000))).toEqual({
      rows: [],
      problem: 'This is too long for a roster.',
    });
  });

  it('that would make a roster too long is refused before it fills the memory', () => {
    const { rows } = readRows('Name,Qty\nRobin,999999999999');
    expect(readPlayers(rows.slice(1), ['name', 'quantity'])).toMatchObject({ players: [] });
  });
});

describe('a number or a size', () => {
  it.each([
    ['7.0', '7'],
    ['7,00', '7'],
    ['1E+01', '10'],
    ['1.2e1', '12'],
    ['#07', '07'],
    ['No. 7', '7'],
    ['٧', '7'],
    ['۱۲', '12'],
    ['९९', '99'],
    ['๑๒', '12'],
    ['７', '7'],
    ['TBD', ''],
    ['n/a', ''],
    ['–', ''],
    ['7.5', '7.5'],
    ['7A', '7A'],
  ])('that a spreadsheet or a person wrote as %s is %j', (written, number) => {
    expect(playersIn(`Name\tNo\tSize\nKim\t${written}\ttba`)).toEqual([{ name: 'Kim', number, size: '' }]);
  });
});

it('a name keeps its letters: "Mª" and "Nº" stay, and a joiner that changes letters', () => {
  const names = ['Mª José', 'Nº Uno', 'می‌خواهم', 'Na'];
  expect(playersIn(`Name,No\n${names.join(',1\n')},1`).map(({ name }) => name)).toEqual(names);
});

describe('a player of a list is known', () => {
  const player = (name: string, number = '7', size = 'M') => ({ name, number, size });
  const left = (list: ReturnType<typeof player>[], roster: typeof list) =>
    withoutKnown(list, roster).map(({ name }) => name);

  it.each([
    ['Ruiz, Ana', 'Ana Ruiz'],
    ['Ana Ruíz', 'ana RUIZ'],
    ['RUÍZ, ANA'.normalize('NFD'), 'Ana Ruiz'],
    ['Søren Strauß', 'Soren Strauss'],
  ])('as %s, where the roster has %s', (name, known) => {
    expect(left([player(name), player(name, '')], [player(known), player(known)])).toEqual([]);
    expect(left([player(name, '8')], [player(known)])).toEqual([name]);
  });

  it('as often as the roster has it, and once where the list repeats it', () => {
    expect(left([player('Kim'), player('Kim', '7', 'L'), player('Lee')], [])).toEqual(['Kim', 'Lee']);
    const [twice, blank] = [player('Kim'), player('', '')];
    expect(left([twice, twice, blank, player('', '')], [player('Kim')])).toEqual(['Kim', '', '']);
  });
});

describe('the columns of a list', () => {
  const guess = (text: string) => guessColumns(readRows(text).rows);

  it('with titles that are not known are not used', () => {
    expect(guess('Name,Age,Phone Number,Shoe Size,Size\nRobin,12,555,40,M').columns).toEqual([
      'name',
      '',
      '',
      '',
      'size',
    ]);
  });

  it('have no titles when the first row has a number or a size', () => {
    expect(guess('Kim,none,M\nRobin,7,L').hasTitles).toBe(false);
    expect(guess('Kim').hasTitles).toBe(false);
  });

  it('are asked about when the first row may be a player as well', () => {
    expect(guess('Ime;Opomba\nRobin;captain').hasTitles).toBeUndefined();
    expect(guess('Kim\nRobin').hasTitles).toBeUndefined();
    expect(guess('Kim\nRobin,7,L').hasTitles).toBeUndefined();
  });
});

describe('a file', () => {
  const file = 'Muñoz,7,M';
  const utf16 = Buffer.from(`\uFEFF${file}`, 'utf16le');

  it.each([
    ['UTF-8', Buffer.from(file)],
    ['UTF-16LE', utf16],
    ['UTF-16BE', Buffer.from(utf16).swap16()],
    ['Windows-1252', Buffer.from(file, 'latin1')],
  ])('in %s is read, and its encoding is named', async (encoding, bytes) => {
    expect(await readFile(new Blob([new Uint8Array(bytes)]))).toEqual({ text: file, encoding });
  });

  it('that is a picture or a workbook, or as large, is not a roster', async () => {
    expect(await readFile(new Blob(['PK\u0003\u0004\0']))).toBeUndefined();
    expect(await readFile(new Blob(['Kim\n'.repeat(600_000)]))).toBeUndefined();
  });
});
