/** Everything the grammar accepts becomes SQL that Postgres parses; it may still refuse values and types. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shapeOf } from '../../../functions/database/render-sql.ts';
import { empty } from '../../../functions/database/sql.ts';
import type { Method } from '../../../functions/rest/request/request.ts';
import { messageOf } from '../../../functions/rest/statement/statement.ts';
import type { Collection } from '../../../schema/collection.ts';
import { collections } from '../../../schema/collections.ts';
import { mediaType, preference } from '../../fuzz/headers.ts';
import { anyQuery } from '../../fuzz/request.ts';
import { type FuzzCaller, owners } from '../../fuzz/world.ts';
import { newRow, textColumnsOf } from '../../setup/collection-rows.ts';
import { useDatabase } from '../../setup/database.ts';
import { rounds } from '../../setup/full-size.ts';
import { useLogin } from '../../sql/use-login.ts';
import { planOf, staff } from '../plan/plan-of.ts';

const database = useDatabase();
const connection = useLogin(() => database.ownerUrl);

const owns = Object.values(owners);
const caller: FuzzCaller = { name: 'x', kind: 'staff', headers: {}, owns, secrets: [] };
const requestOf = (collection: Collection) =>
  fc.record({
    collection: fc.constant(collection),
    method: fc.constantFrom<Method>('GET', 'HEAD', 'DELETE', 'PATCH', 'POST'),
    query: fc.boolean().chain(isWild => anyQuery({ collection, caller, isWild }, false)),
    prefer: fc.array(preference, { maxLength: 2 }),
    accept: fc.oneof(fc.constant('*/*'), mediaType),
  });

/** A new row, whose texts have characters that mean something in SQL. */
function bodyOf(collection: Collection): object {
  const texts = textColumnsOf(collection).map(name => [name, "it's \\"]);
  return newRow(collection, crypto.randomUUID(), Object.fromEntries(texts));
}

interface Refusal {
  code: string;
  message: string;
}

const unparsable = /^(syntax error at|unterminated|zero-length|there is no parameter|invalid Unicode escape)/;
/** Whether an error is the parser's or the lexer's, or about a parameter of no clear type. An invalid tsquery is 42601 too. */
const isUnparsable = ({ code, message }: Refusal): boolean =>
  unparsable.test(message) || /^(?:XX|42P18)/.test(code);

/** What Postgres says against a text. */
async function refusalOf(text: string): Promise<Refusal | undefined> {
  const sent = connection.unsafe(text).simple();
  return sent.then(() => undefined).catch(reason => reason);
}

it('every accepted request is a message that Postgres can parse, and a statement that it can prepare', async () => {
  const counts = { planned: 0, accepted: 0, prepared: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(...collections.map(requestOf)),
      async ({ collection, method, query, prefer, accept }) => {
        const headers = { prefer: ['tx=rollback', ...prefer].join(), accept };
        const plan = planOf({ as: staff, of: collection, method, query, headers, body: bodyOf(collection) });
        if (!plan.ok) {
          return;
        }
        const { text, statements } = messageOf(plan.value);
        const error = await refusalOf(text);
        const shape = shapeOf(statements[1] ?? empty);
        const prepare = `prepare p as ${shape}; deallocate p`;
        const unprepared = plan.value.explain ? undefined : await refusalOf(prepare);
        counts.planned += 1;
        counts.accepted += error === undefined ? 1 : 0;
        counts.prepared += unprepared === undefined ? 1 : 0;
        for (const [refusal, statement] of [
          [error, text],
          [unprepared, shape],
        ] as const) {
          expect(refusal && isUnparsable(refusal) ? [refusal.message, statement] : []).toEqual([]);
        }
      },
    ),
    { numRuns: rounds(300, 1000) },
  );
  expect(counts.planned).toBeGreaterThan(rounds(60, 200));
  expect(counts.accepted).toBeGreaterThan(rounds(10, 65));
  expect(counts.prepared).toBeGreaterThan(rounds(40, 130));
});
