/**
 * Cells of CSV and of forms → values, by the types of their columns. A cell of a JSON column is JSON. An empty cell is null,
 * unless its column allows empty text. Postgres parses all others.
 */
import type { Collection, Column } from '../../../schema/collection.ts';
import { postgresType } from '../../../schema/postgres-types.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { findJsonExcess } from '../request/json-excess.ts';
import type { Body, BodyRow } from '../request/request.ts';
import { findColumn } from './resolve-field.ts';

/** The value of a cell with malformed JSON. */
export class MalformedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

interface Cell {
  /** For validation. */
  value: unknown;
  /** For Postgres: the client's own JSON, since JavaScript would round its numbers. */
  json: string;
}

/** Returns the body with its cells as values. Fails when the JSON in them exceeds a limit of bodies. */
export function readCells(body: Body, collection: Pick<Collection, 'columns'>): Result<Body> {
  const { isArray, hasCells, ...rest } = body;
  if (!hasCells) {
    return ok(body);
  }
  const rows: BodyRow[] = [];
  const jsons: string[] = [];
  for (const row of body.rows) {
    const values: [string, unknown][] = [];
    const members: string[] = [];
    for (const [name, text] of Object.entries(row as Record<string, string | null>)) {
      const column = findColumn(collection, name);
      const excess = text !== null && isJson(column) ? findJsonExcess(text) : undefined;
      if (excess) {
        // In the place that it would have in the body, the failure names its row and column.
        const before = isArray ? `[${'{},'.repeat(rows.length)}` : '';
        return fail(findJsonExcess(`${before}{${JSON.stringify(name)}:${text}`) ?? excess);
      }
      const { value, json } = readCell(text, column);
      values.push([name, value]);
      members.push(`${JSON.stringify(name)}:${json}`);
    }
    rows.push(Object.fromEntries(values));
    jsons.push(`{${members.join()}}`);
  }
  const json = isArray ? `[${jsons.join()}]` : jsons.join();
  const excess = findJsonExcess(json);
  return excess ? fail(excess) : ok({ ...rest, isArray, json, rows });
}

const isJson = (column: Column | undefined): boolean =>
  column !== undefined && postgresType(column.type.postgres).kind === 'json';

function readCell(text: string | null, column: Column | undefined): Cell {
  if (text === null || (column && isNull(text, column))) {
    return { value: null, json: 'null' };
  }
  if (!isJson(column)) {
    return { value: text, json: JSON.stringify(text) };
  }
  try {
    return { value: JSON.parse(text), json: text };
  } catch {
    return { value: new MalformedJson(text), json: 'null' };
  }
}

/** Whether a text in quotes is null, as a column has no such value: the empty text, and `NULL` where values are no texts. */
function isNull(text: string, { type }: Column): boolean {
  const isText = postgresType(type.postgres).kind === 'text';
  return (text === '' && (!isText || type.emptyIsNull === true)) || (text === 'NULL' && !isText);
}
