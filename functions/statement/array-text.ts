/** Writes values as the text of a Postgres array (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
export const arrayText = (values: string[]): string =>
  `{${values.map(value => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
