/** How the documents and the types describe a function. */
import type { Audience, Collection, Column } from '../../../schema/collection.ts';
import type { DatabaseFunction } from '../../../schema/function.ts';
import { errorsOf } from './errors.ts';
import { describeType, isRequired, type Json } from './json-schema.ts';
import { headersOf, refer } from './parameters.ts';
import { valueResponses } from './responses.ts';

/** What documents describe: collections, and functions. */
export interface Described {
  collections: readonly Collection[];
  functions: readonly DatabaseFunction[];
}

export const functionsFor = ({ functions }: Described, audience: Audience): DatabaseFunction[] =>
  functions.filter(({ audiences }) => audiences.includes(audience));

/** Returns the schema of the body of a call. */
export function describeArguments({ args }: DatabaseFunction): Json {
  const names = Object.keys(args);
  return names.length === 0
    ? { type: 'object', maxProperties: 0 }
    : { ...describeObject(args), additionalProperties: false };
}

function describeObject(columns: Readonly<Record<string, Column>>): Json {
  const entries = Object.entries(columns);
  const required = entries.filter(([, column]) => isRequired.insert(column)).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(entries.map(([name, { type }]) => [name, describeType(type)])),
  };
}

/** Returns the schema of what a function returns; `row` refers to that of a collection's rows. */
export const describeReturned = (
  { returns }: DatabaseFunction,
  row: (collection: Collection) => Json,
): Json =>
  'row' in returns
    ? row(returns.row)
    : 'value' in returns
      ? describeType(returns.value.type)
      : describeObject(returns.object);

const examplesOf = ({ args }: DatabaseFunction): Json =>
  Object.fromEntries(
    Object.entries(args).flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
  );

/** The headers and parameters of a function that returns a row. */
const ofRow = {
  parameters: ['apikey', 'select', 'idempotencyKey', 'requestId'],
  headers: ['Content-Range', 'Preference-Applied', 'Content-Profile', 'ETag'],
};
const ofValue = { parameters: ['apikey', 'requestId'], headers: ['Preference-Applied'] };

/** Describes the `POST` of a function in the OpenAPI document. */
export function describeFunction(called: DatabaseFunction): Json {
  const { name, about, summary, meaning, returns } = called;
  const schema = describeReturned(called, collection => refer('schemas', collection.name));
  const { parameters, headers } = 'row' in returns ? ofRow : ofValue;
  const content = {
    'application/json': { schema },
    'application/vnd.pgrst.object+json': { schema },
    ...('value' in returns && { 'text/csv': { schema: { type: 'string' } } }),
  };
  // 422 is about the Idempotency-Key.
  const statuses = [...errorsOf.POST, 404, 416].filter(status => status !== 422 || 'row' in returns);
  return {
    tags: [about.name],
    operationId: name,
    summary,
    description: meaning,
    parameters: parameters.map(one => refer('parameters', one)),
    // Generators make code of an optional body that does not compile, so it is always required.
    requestBody: {
      required: true,
      content: { 'application/json': { schema: describeArguments(called), example: examplesOf(called) } },
    },
    responses: {
      ...valueResponses(describeResult(called), content, statuses, headers),
      ...('row' in returns && {
        201: {
          description: 'The response to a retry whose first response is no longer stored.',
          headers: headersOf(['Content-Range', 'Preference-Applied', 'ETag', 'Location']),
        },
      }),
    },
  };
}

function describeResult({ returns }: DatabaseFunction): string {
  if ('row' in returns) {
    return `The row of ${returns.row.name}.`;
  }
  return 'value' in returns
    ? `${returns.value.meaning} In CSV it is a column \`pgrst_scalar\`.`
    : 'The result.';
}
