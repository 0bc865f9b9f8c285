/** What people write, without what nobody sees: it is read by others, also in mails and between other texts. */

/**
 * Characters that show nothing (UAX 44, Default_Ignorable_Code_Point), such as marks of direction, blank letters and tags. Those that
 * change how their neighbors look stay: joiners in Persian words and emoji, and variation selectors in Chinese names.
 */
const ignorable =
  /(?![\u200b-\u200d]|[\u180b-\u180d\u180f]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])\p{Default_Ignorable_Code_Point}|[\u2800\ufff9-\ufffb]/gu;
const control = /[^\P{Cc}\n\t]/gu;
/** Joiners at the ends of words join nothing. */
const looseJoiners = /(?<=^|\s)[\u200b-\u200d]+|[\u200b-\u200d]+(?=\s|$)/g;

export const visibleText = (text = ''): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(control, '')
    .replace(ignorable, '')
    .replace(looseJoiners, '')
    .trim();

export const visibleLine = (text = ''): string => visibleText(text).replace(/\s+/g, ' ');

/** Whether a visible text has a letter or a digit: a name of blanks or dots names nobody. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Whether a visible text has more than spaces, joiners and variation selectors. */
export const hasSigns = (text: string): boolean =>
  /(?!\p{Default_Ignorable_Code_Point})[^\s\p{C}]/u.test(text);
