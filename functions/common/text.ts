/** Text for display. */

/** Escapes a text for HTML, between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** Returns a value of JSON as text. `String` would call the value's own `toString`, which may be any JSON. */
export const textOfJson = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Truncates a text to `shown` characters, and then adds `…`. */
export const shorten = (text: string, shown: number): string =>
  text.length > shown ? `${text.slice(0, shown)}…` : text;
