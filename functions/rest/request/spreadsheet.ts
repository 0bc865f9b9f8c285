/**
 * CSV for spreadsheets (`profile=spreadsheet`). A response has an apostrophe before what would begin a formula, and a body of
 * the same profile loses it again, so that what is read back is what was stored.
 */

/**
 * The beginnings of formulas in a text, for JavaScript and for Postgres: at the beginning of a cell, which a spreadsheet may also
 * see after a semicolon, a tab or a line end, `=`, `+`, `-` or `@`, in ASCII or full width, also after spaces and quotes.
 */
const everyFormula = /(^|[;\t\r\n])([ "']*[=+@\uFF1D\uFF0B\uFF0D\uFF20-])/g;
const everyGuarded = /(^|[;\t\r\n])'([ "']*[=+@\uFF1D\uFF0B\uFF0D\uFF20-])/g;
const firstGuarded = /(^|[;\t\r\n])'([ "']*[=+@\uFF1D\uFF0B\uFF0D\uFF20-])/;

export const formulas = everyFormula.source;

export const guardFormulas = (text: string): string => text.replace(everyFormula, `$1'$2`);

export const unguardFormulas = (text: string): string => text.replace(everyGuarded, '$1$2');

/** Returns the first character of a formula that has an apostrophe before it; undefined if there is none. */
export const findGuarded = (text: string): string | undefined => firstGuarded.exec(text)?.[2]?.at(-1);
