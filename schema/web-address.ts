/**
 * Addresses that an application shows as links and images. They are http or https, since a browser that opens a `javascript:`
 * URL runs a script. builder.is_url, is_link and is_no_script decide the same.
 */
import type { ColumnType } from './column-type.ts';
import { checked, patterned, text, varchar } from './types.ts';

/** Blanks, control characters, and invisible characters that change how a text is shown. */
const unseen =
  /[^!-~\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\uffff]/g;

/** The form of a URL, which the documents have too. Browsers read a backslash as a slash. */
const absolute = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\\/?#][^\s\\]*$/;

const isUrl = (value: string): boolean => absolute.test(value) && value.search(unseen) < 0;

/** Whether a text is a URL, or a path that makes one behind a host. A second slash would begin another host. */
const isLink = (value: string): boolean =>
  isUrl(value.startsWith('/') && !value.startsWith('//') ? `https://host${value}` : value);

const form =
  'that begins with https:// or http://, without spaces (write %20), control characters and backslashes';

const expectedUrl = `a URL ${form}`;
export const url = checked(patterned(text(2048), absolute, expectedUrl), expectedUrl, isUrl);

const expectedLink = `a path that begins with one slash, or a URL ${form}`;
export const link = checked(
  patterned(varchar(2048), /^(?:\/|[Hh][Tt][Tt][Pp][Ss]?:\/\/)/, expectedLink),
  expectedLink,
  isLink,
);

/**
 * The beginning of an address that may run a script, once the blanks that browsers drop are gone. Of `data:`, only pictures run
 * none, and SVG is not among them.
 */
const script = /^(?:javascript:|vbscript:|data:(?!image\/(?:png|jpeg|gif|webp)[;,]))/i;

/** Any text but a script: the specification does not say that it is an address, but an application may link it. */
export const noScript = (base: ColumnType<string>): ColumnType<string> =>
  checked(
    base,
    'a text that does not begin with javascript:, vbscript: or data:, except data:image/png, jpeg, gif or webp',
    value => !script.test(value.replaceAll(unseen, '')),
  );
