/** A UUID as Postgres reads it: also without hyphens, and in braces. */
export const uuidPattern = /^(?:[0-9a-f]{4}(?:-?[0-9a-f]{4}){7}|\{[0-9a-f]{4}(?:-?[0-9a-f]{4}){7}\})$/i;

/** Returns a UUID as Postgres writes it; undefined for another text. */
export const canonicalUuid = (text: string): string | undefined =>
  uuidPattern.test(text)
    ? text
        .toLowerCase()
        .replace(/[{}-]/g, '')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    : undefined;
