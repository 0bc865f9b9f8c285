/** The types of JSON columns: any object, or an object with defined keys and values. */
import * as v from 'valibot';
import { bytesOf, type ColumnType, expects, issueLimit } from './column-type.ts';

/** Any JSON value, as `supabase gen types` writes it: without its recursion, supabase-js can't type \`select=a->b->>c\`. */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const object = <T extends Json>() => v.custom<T>(isObject, expects('23514', 'a JSON object'));

/** Any object, as large as a body may be. */
export const jsonObject: ColumnType<Json> = {
  postgres: 'jsonb',
  maxBytes: 1024 * 1024,
  format: object(),
};

/** The size as Postgres writes it, with a space after each colon and comma outside of texts. */
const bytesOfObject = (input: object): number =>
  bytesOf(
    JSON.stringify(input).replace(/"(?:[^"\\]|\\.)*"|[:,]/g, part => (part.length === 1 ? `${part} ` : part)),
  );

/** Any object of at most 2,000 bytes: colors, or an address. Applications choose its keys. */
export const smallObject: ColumnType<Json> = {
  postgres: 'jsonb',
  maxBytes: 2000,
  format: v.pipe(
    object<Json & object>(),
    v.check(value => bytesOfObject(value) <= 2000, expects('23514', 'a JSON object of at most 2000 bytes')),
  ),
};

/** An object whose entries are all checked, so that all issues are reported at once. */
const objectOf = <T extends { [key: string]: Json | undefined }>(
  maxBytes: number,
  jsonSchema: Record<string, unknown>,
  /** What is expected of an entry; undefined when the entry is valid. */
  expected: (key: string, value: unknown) => string | undefined,
): ColumnType<T> => ({
  postgres: 'jsonb',
  maxBytes,
  jsonSchema,
  format: v.pipe(
    object<T>(),
    v.rawCheck(({ dataset, addIssue }) => {
      const input = dataset.value as Record<string, unknown>;
      let issues = 0;
      for (const key of Object.keys(input)) {
        const value = input[key];
        const expectation = expected(key, value);
        if (expectation !== undefined) {
          addIssue({
            message: expects('23514', expectation),
            input: value,
            path: [{ type: 'object', origin: 'value', input, key, value }],
          });
          issues++;
          if (issues === issueLimit) {
            return;
          }
        }
      }
      if (issues === 0 && bytesOfObject(input) > maxBytes) {
        addIssue({ message: expects('23514', `an object of at most ${maxBytes} bytes`) });
      }
    }),
  ),
});

export const counts = objectOf<Record<string, number>>(
  8000,
  { additionalProperties: { type: 'integer', minimum: 0, maximum: 1e9 }, examples: [{ M: 7, L: 5 }] },
  (_, value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
      return 'a whole number that is not negative';
    }
    return value <= 1e9 ? undefined : 'a whole number up to 1000000000';
  },
);
