/**
 * Addresses that an application shows as links and images. They are http or https, since a browser that opens a `javascript:`
 * URL runs a script. builder.is_url, is_link and is_no_script decide the same.
 *
 * The sets lack blanks, control characters, and invisible characters that change how a text is shown. An address has no
 * backslash either, which browsers read as a slash.
 */
import type { ColumnType } from './column-type.ts';
import { checked, patterned, text, varchar } from './types.ts';

const form =
  'that begins with https:// or http://, without spaces (write %20), control characters and backslashes';

const absolute =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[!"$-.0->@-[\]-~\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\uffff][!-[\]-~\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\uffff]*$/;

/** A second slash would begin another host. */
const pathOrAbsolute =
  /^(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/[!"$-.0->@-[\]-~\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\uffff][!-[\]-~\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\uffff]*|\/(?:[!-.0-[\]-~\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\uffff][!-[\]-~\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\uffff]*)?)$/;

const anyBlanks =
  /[^!-~\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\uffff]+/g;

export const url = patterned(text(2048), absolute, `a URL ${form}`);

export const link = patterned(
  varchar(2048),
  pathOrAbsolute,
  `a path that begins with one slash, or a URL ${form}`,
);

/** Any text but a script: the specification does not say that it is an address, but an application may link it. */
export const noScript = (base: ColumnType<string>): ColumnType<string> =>
  checked(
    base,
    'a text that does not begin with javascript:',
    value => !/^javascript:/i.test(value.replace(anyBlanks, '')),
  );
