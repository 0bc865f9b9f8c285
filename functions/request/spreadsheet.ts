/**
 * CSV for spreadsheets (`profile=spreadsheet`). A response has an apostrophe before what would begin a formula, and a body of
 * the same profile loses it again, so that what is read back is what was stored.
 */

/** Beginnings of a cell: a spreadsheet may also begin one after a semicolon, a tab or a line end. */
const start = String.raw`(^|[;\t\r\n])`;
/** What begins a formula: `=`, `+`, `-` or `@`, in ASCII or full width, also after spaces and quotes. */
const formula = String.raw`([ "']*[=+@\uFF1D\uFF0B\uFF0D\uFF20-])`;

/** The beginnings of formulas in a text, as a regular expression of JavaScript and of Postgres. */
export const formulas = `${start}${formula}`;
const guarded = `${start}'${formula}`;
const [everyFormula, everyGuarded, firstGuarded] = [
  new RegExp(formulas, 'g'),
  new RegExp(guarded, 'g'),
  new RegExp(guarded),
];

export const guardFormulas = (text: string): string => text.replace(everyFormula, `$1'$2`);

export const unguardFormulas = (text: string): string => text.replace(everyGuarded, '$1$2');

/** Returns the first character of a formula that has an apostrophe before it; undefined if there is none. */
export const findGuarded = (text: string): string | undefined => firstGuarded.exec(text)?.[2]?.at(-1);
