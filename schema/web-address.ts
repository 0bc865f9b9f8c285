/**
 * Addresses that an application shows as links and images. They are http or https, since a browser that opens a `javascript:`
 * URL runs a script. builder.is_url, is_link and is_no_script decide the same.
 */
import * as v from 'valibot';
import { type ColumnType, expects } from './column-type.ts';
import { patterned, text, varchar } from './types.ts';

/** Blanks, control characters, and invisible characters that change how a text is shown. */
const blanks = String.raw`\u0000-\u0020\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff`;
/** Nor has an address a backslash, which browsers read as a slash. */
const others = String.raw`[^${blanks}\\]*`;
const first = (besides: string) => String.raw`[^${besides}${blanks}\\]`;
const absolute = `[Hh][Tt][Tt][Pp][Ss]?://${first('/?#')}${others}`;

const form =
  'that begins with https:// or http://, without spaces (write %20), control characters and backslashes';

export const url = patterned(text(2048), new RegExp(`^${absolute}$`), `a URL ${form}`);

/** A second slash would begin another host. */
export const link = patterned(
  varchar(2048),
  new RegExp(`^(?:${absolute}|/(?:${first('/')}${others})?)$`),
  `a path that begins with one slash, or a URL ${form}`,
);

const anyBlanks = new RegExp(`[${blanks}]+`, 'g');

/** Any text but a script: the specification does not say that it is an address, but an application may link it. */
export const noScript = (base: ColumnType<string>): ColumnType<string> => ({
  ...base,
  format: v.pipe(
    base.format,
    v.check(
      value => !/^javascript:/i.test(value.replace(anyBlanks, '')),
      expects('23514', 'a text that does not begin with javascript:'),
    ),
  ),
});
