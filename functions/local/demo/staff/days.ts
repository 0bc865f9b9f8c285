/** Days as date inputs have them, `2026-11-24`, where the staff are. */

export const dayOf = (value: Date): string =>
  [value.getFullYear(), value.getMonth() + 1, value.getDate()]
    .map(part => String(part).padStart(2, '0'))
    .join('-');

/** Returns the last moment of a day; null for no day. */
export const endOf = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59.999`).toISOString();
