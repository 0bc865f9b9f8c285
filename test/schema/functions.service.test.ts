/** The functions of schema/functions.ts agree with the database: their arguments, what they return, and who may call them. */
import { expect, it } from 'vitest';
import type { Audience, Column } from '../../schema/collection.ts';
import type { DatabaseFunction } from '../../schema/function.ts';
import { functions } from '../../schema/functions.ts';
import { useDatabase } from '../setup/database.ts';

const database = useDatabase();
const roles: Audience[] = ['anon', 'customer', 'staff', 'reader'];

const typeOf = (column: Column | undefined): string => column?.type.postgres ?? 'none';

/** The type of the key for a function that returns a row. */
function returnedBy({ returns }: DatabaseFunction): string {
  if ('row' in returns) {
    return typeOf(returns.row.columns[returns.row.primaryKey]);
  }
  return 'value' in returns ? typeOf(returns.value) : 'json';
}

it.each(
  functions,
)('$name has in the database the arguments, the result and the grants of its row', async called => {
  const [found] = await database.sql`
    select coalesce(proargnames, '{}') as names, prorettype::regtype::text as returned,
      array(select type::regtype::text from unnest(proargtypes) with ordinality t(type, place) order by place) as types,
      array(select role from unnest(${roles}::text[]) role where has_function_privilege('builder_' || role, oid, 'execute')) as roles
    from pg_proc where pronamespace = 'builder'::regnamespace and proname = ${called.name}`;
  expect(found).toEqual({
    names: Object.keys(called.args),
    types: Object.values(called.args).map(typeOf),
    returned: returnedBy(called),
    roles: called.audiences,
  });
});
