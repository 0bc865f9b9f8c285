/** The statements of a call of a function. */
import { limits } from '../../common/limits.ts';
import { identifier, join, keyword, type Sql, sql } from '../../database/sql.ts';
import type { CallPlan, ValuePlan } from '../plan/call.ts';
import { bodySource } from './body.ts';
import { positionalName, readableOf } from './clauses.ts';
import { bodyExpression, rowTexts } from './response-body.ts';
import { returned } from './statement-row.ts';
import { keyColumns, writeStatement, writtenColumns } from './write.ts';

/** Returns the call, and the source of its arguments. `json` is the body's text: a literal, or a parameter. */
function callOf({ called, body }: ValuePlan | CallPlan, json?: Sql): { call: Sql; from: Sql } {
  const { from, values } = bodySource(body, { columns: called.args }, 'all', json);
  const args = values.map((value, index) => sql`${identifier(body.columns[index] ?? '')} => ${value}`);
  return { call: sql`${identifier('builder', called.name)}(${join(args)})`, from };
}

/** Returns the statement of a call that returns a value: its `body`. */
export function valueStatement(plan: ValuePlan): Sql {
  const { mediaType, maxBytes, called, caller } = plan;
  const { call, from } = callOf(plan);
  if (mediaType.is === 'csv') {
    // As in PostgREST, the value is a row with one column of this name.
    const type = 'value' in called.returns ? called.returns.value.type : undefined;
    const output = { name: 'pgrst_scalar', ...(type && { field: { column: '', type, path: [] } }) };
    const format = { collection: called.about, caller, mediaType, maxBytes, outputs: [output] };
    const page = sql`(select ${call} as ${positionalName(0)} from ${from}) as page`;
    return sql`select ${returned('body', bodyExpression(format))} from ${rowTexts(format, page, {})}`;
  }
  const json = mediaType.nullsStripped ? sql`json_strip_nulls(to_json(${call}))` : sql`to_json(${call})`;
  const text = sql`builder.within_bytes(${json}::text, ${Math.min(maxBytes, limits.response.rowBytes)})`;
  return sql`select ${returned('body', text)} from ${from}`;
}

/** The setting that has the key of the row that a call returned, until the end of the message. */
const calledSetting = keyword("'request.called'");

/**
 * Returns the two statements of a call that returns a row: the call, and the read of that row as the caller. The second sees
 * what the first has written, since it is a statement of its own.
 */
export function callStatements(plan: CallPlan, json?: Sql): [call: Sql, read: Sql] {
  const { collection, caller } = plan;
  const { name, primaryKey, columns } = collection;
  const { call, from } = callOf(plan, json);
  const type = keyword(columns[primaryKey]?.type.postgres ?? 'text');
  const rows = sql`select ${writtenColumns(plan)}
  from ${readableOf(collection, caller.audience)}
  where ${identifier(name, primaryKey)} = nullif(current_setting(${calledSetting}), '')::${type}`;
  return [
    sql`select from ${from} where set_config(${calledSetting}, ${call}::text, true) is not null`,
    writeStatement(plan, rows, { also: keyColumns(plan) }),
  ];
}
