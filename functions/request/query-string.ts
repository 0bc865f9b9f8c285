/** A parameter of the query string, decoded. */
export interface Parameter {
  name: string;
  value: string;
}

/**
 * Takes a query string (without its `?`) apart. As in PostgREST `;` separates like `&`, `+` is a space, and a name
 * without `=` says nothing.
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

/** A name or value of a query string, decoded. */
export function decode(text: string): string {
  if (!/[%+]/.test(text)) {
    return text;
  }
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Stray percent signs stay, bytes that are not UTF-8 become U+FFFD, as the URL standard has it.
    return new URLSearchParams(`text=${text}`).get('text') ?? '';
  }
}
