/** Returns a text, or only its beginning and `…` where it has more characters than may be shown. */
export const shorten = (text: string, shown: number): string =>
  text.length > shown ? `${text.slice(0, shown)}…` : text;
