/** The terminal output of the developer's programs: a line for each finished step, and then what to try. */

import { keysOf } from '../common/env.ts';
import { createAccessToken } from './access-token.ts';
import { loopback } from './port.ts';
import type { Secrets } from './secrets.ts';

/** The users of sql/demo.sql. */
const customer = 'c0000000-0000-4000-8000-000000000001';
const team = 'c0000000-0000-4000-8000-00000000000a';
const staff = 'c0000000-0000-4000-8000-0000000000ff';

/** The one quote of sql/demo.sql that waits for its price. */
const submitted = 'e0000000-0000-4000-8000-000000000002';

/** Runs a step, and prints its duration and `detail` of its result. */
export async function step<T>(
  name: string,
  work: () => Promise<T>,
  detail: (result: T) => string,
): Promise<T> {
  const start = performance.now();
  const result = await work();
  const milliseconds = Math.round(performance.now() - start);
  console.log(`${name.padEnd(12)}${`${milliseconds}`.padStart(6)} ms   ${detail(result)}`);
  return result;
}

/** Creates tokens of the users of sql/demo.sql, valid for 24 hours. */
export const demoTokens = (jwtSecret: string): Record<'customer' | 'staff', Promise<string>> => ({
  customer: createAccessToken(jwtSecret, { account: customer, also: [team] }),
  staff: createAccessToken(jwtSecret, { account: staff, staff: true }),
});

/**
 * Prints the address, the keys, and what to paste. Of the embedded database: also the demo, the tokens of its users, commands
 * for its rows, and the connection of its owner. `variables` are those of deliveries.
 */
export async function welcome(
  port: number,
  secrets: Secrets,
  variables: Record<string, string>,
  embeddedDatabase?: string,
): Promise<void> {
  const [publishableKey, secretKey] = [secrets.publishableKey, secrets.secretKey].map(
    list => keysOf(list)[0],
  );
  const address = `http://${loopback}:${port}`;
  const key = `-H 'apikey: ${publishableKey}'`;
  const demo = embeddedDatabase === undefined ? undefined : await demoOf(secrets.jwtSecret, address, key);
  const waiting = describeWaiting(variables, embeddedDatabase !== undefined);
  console.log(`
address          ${address}
reference        ${address}/${demo ? `\ndemo             ${address}/demo` : ''}
publishable key  ${publishableKey}
secret key       ${secretKey}${demo ? `\n${demo.tokens}\nDATABASE_URL     ${embeddedDatabase}\nschema           builder` : ''}${waiting && `\n${waiting}`}

# Anyone reads the active graphics:
curl ${key} '${address}/rest/v1/graphics?select=code,name,tags&order=sort_order'

${demo ? demo.commands : 'Tokens of customers and staff: npm run token\nThe demo: npm start without DATABASE_URL'}

To run the scheduled sweep: curl ${address}/cdn-cgi/handler/scheduled
Ctrl-C stops it.`);
}

/** Returns a line about what is not sent, and the variables that send it; empty if all is. */
function describeWaiting({ MAIL_URL, DELIVER }: Record<string, string>, isDemo: boolean): string {
  const held = [
    ...(MAIL_URL || isDemo ? [] : ['e-mail, without MAIL_URL']),
    ...(DELIVER === 'off' ? ['webhooks that are not at 127.0.0.1, without DELIVER=on'] : []),
  ];
  return held.length > 0 ? `waiting          ${held.join('; ')}` : '';
}

/** Returns the tokens of the demo's users, and commands for its rows. */
async function demoOf(jwtSecret: string, address: string, key: string) {
  const { customer, staff } = demoTokens(jwtSecret);
  const [customerToken, staffToken] = await Promise.all([customer, staff]);
  const as = (token: string) => `${key} -H 'Authorization: Bearer ${token}'`;
  return {
    tokens: `customer token   ${customerToken}\nstaff token      ${staffToken}`,
    commands: `# The customer reads its quotes and its team's:
curl ${as(customerToken)} '${address}/rest/v1/quotes?select=id,quote_number,status,total_price&order=quote_number'

# Staff price a quote:
curl -X PATCH ${as(staffToken)} -H 'Content-Type: application/json' -H 'Prefer: return=representation' \\
  -d '{"status":"quoted","unit_price":41.50,"total_price":622.50}' \\
  '${address}/rest/v1/quotes?id=eq.${submitted}&select=quote_number,status,total_price,quoted_at'`,
  };
}
