import { expect, it } from 'vitest';
import { parseRoster } from '../../../functions/local/demo/customer/paste.ts';

const robin = { name: 'Robin', number: '00', size: 'M' };

it.each([
  ['a spreadsheet of Windows', 'Robin\t00\tM\r\n\r\n'],
  ['CSV', '"Robin",00,M'],
  ['CSV with semicolons', 'Robin;00;M'],
  ['a league', 'Player Name,Jersey #,Shirt Size\nRobin,00,M'],
])('a roster from %s is read', (_, text) => {
  expect(parseRoster(text)).toEqual([robin]);
});

it('a quoted cell may have separators, line breaks and quotes', () => {
  expect(parseRoster('"Diaz, ""Rob""",7,S')).toEqual([{ name: 'Diaz, "Rob"', number: '7', size: 'S' }]);
});

it('players without a number or a size, and an empty text, are read as they are', () => {
  const kim = { name: 'Kim', number: '', size: '' };
  expect(parseRoster('Kim\nRobin,00,M')).toEqual([kim, robin]);
  expect(parseRoster(' \n')).toEqual([]);
});

it('sizes are written as the others are', () => {
  const written = ['xx-large', 'XXXL', '2 xl', 'x-small', 'medium', 'Youth L'];
  const sizes = written.map(size => parseRoster(`Kim,1,${size}`)[0]?.size);
  expect(sizes).toEqual(['2XL', '3XL', '2XL', 'XS', 'M', 'YOUTH L']);
});
