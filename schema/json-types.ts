/** The JSON columns: any object, or one whose keys and values are given. */
import * as v from 'valibot';
import { bytesOf, type ColumnType, expects } from './column-type.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const object = v.custom<Record<string, unknown>>(isObject, expects('23514', 'a JSON object'));

/** Of as much as a body has. */
export const jsonObject: ColumnType<Record<string, unknown>> = {
  postgres: 'jsonb',
  maxBytes: 1024 * 1024,
  format: object,
};

/** More issues than this in one answer help nobody. */
export const issueLimit = 100;

/** Bytes of a flat object as Postgres writes it, with a space behind each colon and comma. */
const bytesOfObject = (input: object): number =>
  bytesOf(JSON.stringify(input)) + Math.max(0, 2 * Object.keys(input).length - 1);

/** An object each of whose entries is looked at, so that its issues are told at once. */
const objectOf = <T>(
  maxBytes: number,
  jsonSchema: Record<string, unknown>,
  expected: (key: string, value: unknown) => string | undefined,
): ColumnType<T> => ({
  postgres: 'jsonb',
  maxBytes,
  jsonSchema,
  format: v.pipe(
    object,
    v.rawCheck(({ dataset, addIssue }) => {
      const input = dataset.value as Record<string, unknown>;
      let issues = 0;
      for (const key of Object.keys(input)) {
        const value = input[key];
        const missed = expected(key, value);
        if (missed !== undefined) {
          addIssue({
            message: expects('23514', missed),
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
  ) as unknown as v.GenericSchema<unknown, T>,
});

const texts = <const K extends readonly string[]>(keys: K) =>
  objectOf<{ [key in K[number]]?: string }>(
    2000,
    {
      properties: Object.fromEntries(keys.map(key => [key, { type: 'string' }])),
      additionalProperties: false,
    },
    (key, value) => {
      if (!keys.includes(key)) {
        return `left out, since the keys are ${keys.join(', ')}`;
      }
      return typeof value === 'string' ? undefined : 'a text';
    },
  );
export const colors = texts(['primary', 'secondary', 'accent', 'accent2', 'accent3']);
export const address = texts(['street', 'city', 'state', 'zip', 'country']);

export const counts = objectOf<Record<string, number>>(
  8000,
  { additionalProperties: { type: 'integer', minimum: 0, maximum: 1e9 }, examples: [{ M: 7, L: 5 }] },
  (_, value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 1e9
      ? undefined
      : 'a whole number that is not negative',
);
