/**
 * Tells the lines of CSV that PostgREST and this service return (`Accept: text/csv`) from other CSV. They are Postgres's
 * records, so a backslash in them is doubled (https://www.postgresql.org/docs/current/rowtypes.html#ROWTYPES-IO-SYNTAX), and
 * whoever sends them back expects the values that were stored. Other programs write one backslash as one.
 *
 * A record has quotes around a field just when it is empty or has a space, comma, quote, backslash or parenthesis; this
 * service has them around the text NULL too.
 * Spreadsheets and libraries of CSV have quotes around all fields, or around those with a comma, quote or line end.
 */

/** Whether a record may have this field without quotes. */
export const isPlainInRecord = (field: string): boolean => !/[\t\v\f "\\()]/.test(field);

/** Whether a record may have this field, the text between the quotes, in quotes. */
export const isQuotedInRecord = (field: string): boolean =>
  field === '' || field === 'NULL' || (/[\s,"\\()]|[^\0-\x7f]/.test(field) && !hasSingleBackslash(field));

const hasSingleBackslash = (field: string): boolean => field.replaceAll('\\\\', '').includes('\\');

/** Returns the value of a field of a record. */
export const singleBackslashes = (field: string): string => field.replaceAll('\\\\', '\\');
