/** What remains of a name or a message that somebody writes. */
import { expect, it } from 'vitest';
import { visibleLine, visibleText } from '../../functions/offer/visible-text.ts';

it.each([
  ['marks of direction', 'Ana\u202e\u061c\u200f\u2067 Kim\ufeff', 'Ana Kim'],
  ['invisible operators', '\u2060A\u2061n\u2064a', 'Ana'],
  ['tags', 'Ana\u{e0001}\u{e0041}\u{e007f}', 'Ana'],
  ['blank letters', 'Ana \u3164\u115f\u1160\uffa0\u2800', 'Ana'],
  ['spaces without a width at the ends of words', '\u200bAna\u200d \u200cKim\u200b', 'Ana Kim'],
  ['a soft hyphen, control characters and half of a character', 'A\u00adn\0a\u001b\ud800', 'Ana\ufffd'],
])('%s are removed', (_, written, visible) => {
  expect(visibleLine(written)).toBe(visible);
});

it.each([
  ['a Persian word', 'می\u200cخواهم'],
  ['a word of Devanagari', 'क्\u200dष'],
  ['an emoji', '👩\u200d👩\u200d👧 ❤\ufe0f'],
  ['a variant of a Chinese character', '葛\u{e0100}城'],
])('%s stays as it is', (_, written) => {
  expect(visibleText(written)).toBe(written);
});
