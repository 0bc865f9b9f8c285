/** Splits the query string of a request into its parameters. Knows no names. */
/** A parameter of the query string, decoded. */
export interface Parameter {
  name: string;
  value: string;
}

/**
 * Splits a query string (without its `?`) into parameters. As in PostgREST, `;` separates like `&`, `+` is a space,
 * and a name without `=` is ignored.
 */
export function parseQueryString(text: string): Parameter[] {
  const parameters: Parameter[] = [];
  for (const part of text.split(/[&;]/)) {
    const equals = part.indexOf('=');
    if (equals >= 0) {
      parameters.push({ name: decode(part.slice(0, equals)), value: decode(part.slice(equals + 1)) });
    }
  }
  return parameters;
}

/** Decodes a name or value of a query string. */
export function decode(text: string): string {
  if (!/[%+]/.test(text)) {
    return text;
  }
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // As in the URL standard, stray percent signs stay, and bytes that are not UTF-8 become U+FFFD.
    return new URLSearchParams(`text=${text}`).get('text') ?? '';
  }
}
