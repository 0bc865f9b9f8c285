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

/** The size of a flat object as Postgres writes it, with a space after each colon and comma. */
const bytesOfObject = (input: object): number =>
  bytesOf(JSON.stringify(input)) + Math.max(0, 2 * Object.keys(input).length - 1);

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

const texts = <const K extends readonly string[]>(keys: K) =>
  objectOf<{ [key in K[number]]?: string | null }>(
    2000,
    {
      properties: Object.fromEntries(keys.map(key => [key, { type: ['string', 'null'] }])),
      additionalProperties: false,
    },
    (key, value) => {
      if (!keys.includes(key)) {
        return `omitted, since the only keys are ${keys.join(', ')}`;
      }
      return typeof value === 'string' || value === null ? undefined : 'a text';
    },
  );
export const colors = texts(['primary', 'secondary', 'accent', 'accent2', 'accent3']);
export const address = texts(['street', 'city', 'state', 'zip', 'country']);

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
