/** A function is its data and its SQL: here one that the engine has never seen, with two arguments, one of them optional. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../../functions/database/connection.ts';
import { permit, planRequest } from '../../../functions/rest/plan/plan-request.ts';
import { respond } from '../../../functions/rest/response/response.ts';
import { messageOf } from '../../../functions/rest/statement/statement.ts';
import { nullable, required } from '../../../schema/collection.ts';
import type { DatabaseFunction } from '../../../schema/function.ts';
import { graphics } from '../../../schema/graphics.ts';
import { integer, text } from '../../../schema/types.ts';
import { useDatabase } from '../../setup/database.ts';
import { staff } from '../plan/plan-of.ts';
import { parseRequest } from '../request/parse.ts';
import '../../setup/with-resolvers.ts';

const database = useDatabase();
beforeAll(async () => {
  await database.sql.unsafe(`
    create function builder.repeated(word text, times integer default 2) returns text
      language sql as 'select repeat(word, times)';
    grant execute on function builder.repeated(text, integer) to builder_staff`);
});

const repeated: DatabaseFunction = {
  name: 'repeated',
  about: graphics,
  summary: 'Repeat a word',
  meaning: 'For this test.',
  audiences: ['staff'],
  args: { word: required(text(9), 'The word.'), times: nullable(integer, 'How often.', { default: '2' }) },
  returns: { value: required(text(99), 'The words.') },
  repeatable: true,
  writes: false,
};

async function call(body: unknown, accept = 'application/json') {
  const header = (name: string) => (name === 'accept' ? accept : null);
  const request = parseRequest({ method: 'POST', query: '', header, body: JSON.stringify(body) });
  const context = request.ok
    ? permit(request.value, { called: repeated }, { caller: staff, collections: [], maxRows: 9 })
    : request;
  const plan = request.ok && context.ok ? planRequest(request.value, context.value) : context;
  if (!plan.ok) {
    return plan.failure;
  }
  const api = new Connection(database.apiUrl);
  const reply = await api.send(messageOf(plan.value as never).text);
  api.abandon();
  const response = reply.ok ? respond(plan.value as never, reply.rows, 'http://x/') : undefined;
  return response?.ok ? response.value.body : reply;
}

describe('an invented function', () => {
  it('returns its value for the arguments that are sent, and the database’s default for others', async () => {
    expect(await call({ word: "it's", times: 1 })).toBe(`"it's"`);
    expect(await call({ times: 3, word: 'a' })).toBe('"aaa"');
    expect(await call({ word: 'a' })).toBe('"aa"');
  });

  it('returns a value with commas and quotes as one cell of CSV', async () => {
    expect(await call({ word: '",', times: 1 }, 'text/csv')).toBe('pgrst_scalar\n""","');
  });

  it('refuses other arguments with the list of its own, and values with their fields', async () => {
    const takes = 'the arguments { word, times? }';
    for (const body of [{ times: 1 }, { word: 'a', often: 2 }, [{ word: 'a' }]]) {
      expect(await call(body)).toEqual({ is: 'function arguments', name: 'repeated', takes });
    }
    expect(await call({ word: 'a', times: 'x' })).toMatchObject({
      is: 'invalid fields',
      issues: [{ path: 'times' }],
    });
  });
});
