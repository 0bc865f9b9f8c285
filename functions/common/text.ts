/** Writes a text for where it is shown. */

/** Returns the text as HTML has it, between tags and in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** Returns a text, or only its beginning and `…` where it has more characters than may be shown. */
export const shorten = (text: string, shown: number): string =>
  text.length > shown ? `${text.slice(0, shown)}…` : text;
