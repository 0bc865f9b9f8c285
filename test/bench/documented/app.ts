/**
 * What somebody writes with Hono and the examples of Cloudflare's documentation, for the quotes alone: the same tables, roles
 * and policies, a client for each request, and a transaction that sets the caller.
 * https://developers.cloudflare.com/hyperdrive/examples/connect-to-postgres/
 */
import { type Context, Hono } from 'hono';
import { type JwtVariables, jwt } from 'hono/jwt';

interface Bindings {
  HYPERDRIVE: { connectionString: string };
  JWT_SECRET: string;
}

export interface Query {
  text: string;
  values: unknown[];
}

/** Runs the queries in one transaction, and returns the rows of the last one. The client ends after the response. */
export type Transact = (
  connectionString: string,
  queries: Query[],
  waitUntil: (promise: Promise<unknown>) => void,
) => Promise<unknown[]>;

type Environment = { Bindings: Bindings; Variables: JwtVariables };

const sixColumns = 'id, quote_number, status, sport, roster_count, created_at';

export function documentedApp(transact: Transact): Hono<Environment> {
  const run = (c: Context<Environment>, text: string, values: unknown[]) => {
    const claims = JSON.stringify(c.get('jwtPayload'));
    const caller = {
      text: "select set_config('role', 'builder_customer', true), set_config('request.jwt.claims', $1, true)",
      values: [claims],
    };
    return transact(c.env.HYPERDRIVE.connectionString, [caller, { text, values }], promise =>
      c.executionCtx.waitUntil(promise),
    );
  };
  const idOf = (c: Context<Environment>) => c.req.query('id')?.replace('eq.', '');
  return new Hono<Environment>()
    .basePath('/rest/v1')
    .use((c, next) => jwt({ secret: c.env.JWT_SECRET, alg: 'HS256' })(c, next))
    .get('/quotes', async c => {
      const id = idOf(c);
      const rows = id === undefined ? 'order by created_at desc, id limit 20' : 'and id = $1';
      const text = `select ${sixColumns} from builder.quotes where deleted_at is null ${rows}`;
      return c.json(await run(c, text, id === undefined ? [] : [id]));
    })
    .patch('/quotes', async c => {
      const { company } = await c.req.json<{ company: string }>();
      await run(c, 'update builder.quotes set company = $1 where id = $2 and deleted_at is null', [
        company,
        idOf(c),
      ]);
      return c.body(null, 204);
    })
    .post('/quotes', async c => {
      const quote = await c.req.json<Record<string, unknown>>();
      const rows = await run(
        c,
        `insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
         values ($1, $2, $3, $4, $5) returning id, status, created_at`,
        ['account_id', 'quote_number', 'product_id', 'sport', 'customization'].map(name => quote[name]),
      );
      return c.json(rows, 201);
    });
}
