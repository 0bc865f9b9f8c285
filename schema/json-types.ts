/** The types of JSON columns: any object, or an object with defined keys and values. */
import * as v from 'valibot';
import { bytesOf, type ColumnType, issueLimit } from './column-type.ts';
import { expects } from './format-error.ts';
import { type Json, postgresTypes } from './postgres-types.ts';
import { checked } from './types.ts';

/** Any object, as large as a body may be. */
export const jsonObject: ColumnType<Json> = {
  postgres: 'jsonb',
  expected: 'a JSON object of at most 1 MiB',
  maxBytes: 1024 * 1024,
  format: postgresTypes.jsonb.format,
};

/** The size as Postgres writes it, with a space after each colon and comma outside of texts. */
const bytesOfObject = (input: object): number => bytesOf(JSON.stringify(input)) + countSeparators(input);

function countSeparators(value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    return 0;
  }
  const inner = Object.values(value);
  const colons = Array.isArray(value) ? 0 : inner.length;
  const commas = Math.max(0, inner.length - 1);
  return inner.reduce<number>((sum, one) => sum + countSeparators(one), colons + commas);
}

/** Any object of at most 2,000 bytes: colors, or an address. Applications choose its keys. */
export const smallObject: ColumnType<Json> = {
  ...checked(
    jsonObject,
    'a JSON object of at most 2000 bytes',
    value => bytesOfObject(value as object) <= 2000,
  ),
  maxBytes: 2000,
};

/** Counts by size. All entries are checked, so that all issues are reported at once. */
export const counts: ColumnType<Record<string, number>> = {
  postgres: 'jsonb',
  expected: 'an object of whole numbers that are not negative',
  maxBytes: 8000,
  jsonSchema: {
    additionalProperties: { type: 'integer', minimum: 0, maximum: 1e9 },
    examples: [{ M: 7, L: 5 }],
  },
  format: v.pipe(
    postgresTypes.jsonb.format,
    v.rawCheck(({ dataset, addIssue }) => {
      const input = dataset.value as Record<string, unknown>;
      let issues = 0;
      for (const [key, value] of Object.entries(input)) {
        const expected = expectedCount(value);
        if (expected !== undefined && issues < issueLimit) {
          const path = [{ type: 'object', origin: 'value', input, key, value }] as const;
          addIssue({ message: expects('23514', expected), input: value, path: [...path] });
          issues++;
        }
      }
      if (issues === 0 && bytesOfObject(input) > 8000) {
        addIssue({ message: expects('23514', 'an object of at most 8000 bytes') });
      }
    }),
    v.transform(input => input as Record<string, number>),
  ),
};

/** Returns what a count must be, unless it is. */
function expectedCount(value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    return 'a whole number that is not negative';
  }
  return value <= 1e9 ? undefined : 'a whole number up to 1000000000';
}
