import { expect, it } from 'vitest';
import { parseRoster } from '../../../functions/local/demo/customer/paste.ts';

const robin = { name: 'Robin', number: '00', size: 'M' };

it.each([
  ['a spreadsheet', 'Robin\t00\tM\n'],
  ['a spreadsheet of Windows', 'Robin\t00\tM\r\n\r\n'],
  ['CSV', '"Robin",00,M'],
  ['CSV with semicolons', 'Robin;00;M'],
  ['a league', 'Player Name,Jersey #,Shirt Size\nRobin,00,M'],
  ['columns in another order, with titles', 'Size,Jersey Number,Player Name\nM,00,Robin'],
])('a roster from %s is read', (_, text) => {
  expect(parseRoster(text)).toEqual([robin]);
});

it('a quoted cell may have separators, line breaks and quotes', () => {
  expect(parseRoster('"Diaz, ""Rob""",7,S')).toEqual([{ name: 'Diaz, "Rob"', number: '7', size: 'S' }]);
});

it('players without a number or a size, and two with "0" and "00", stay as they are', () => {
  const players = parseRoster('Kim\nSam,0\nRobin,00,M');
  expect(players).toEqual([
    { name: 'Kim', number: '', size: '' },
    { name: 'Sam', number: '0', size: '' },
    robin,
  ]);
});

it.each([
  ['xx-large', '2XL'],
  ['XXXL', '3XL'],
  ['2 xl', '2XL'],
  ['x-small', 'XS'],
  ['medium', 'M'],
  ['Youth L', 'YOUTH L'],
])('the size "%s" is written %s', (written, size) => {
  expect(parseRoster(`Kim,1,${written}`)[0]?.size).toBe(size);
});

it('an empty text has no players', () => {
  expect(parseRoster(' \n')).toEqual([]);
});
