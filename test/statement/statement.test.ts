/** What the text of a statement must have, and what it must not. Service tests execute the statements. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../functions/statement/statement.ts';
import type { Collection } from '../../schema/collection.ts';
import { graphics } from '../../schema/graphics.ts';
import { notifications } from '../../schema/notifications.ts';
import { quotes } from '../../schema/quotes.ts';
import { id, planOf, staff, type TestRequest } from '../plan/plan-of.ts';
import { anyText } from '../setup/any-text.ts';

type PartialRequest = Partial<TestRequest>;

/** Returns the whole message of a request, by default a read of graphics by staff. */
function message(request: PartialRequest): string {
  const plan = planOf({ as: staff, of: graphics, ...request });
  if (!plan.ok) throw new Error(`refused: ${JSON.stringify(plan.failure)}`);
  return messageOf(plan.value).text;
}
/** Returns the message without its first statement, the session's. */
const statement = (request: PartialRequest) =>
  message(request).replace(/^select where set_config[^;]*;\n/, '');

it('a message is the session and one statement, and a rollback with tx=rollback', () => {
  expect(message({}).split(';\n')).toEqual([
    expect.stringMatching(/^select where set_config/),
    statement({}),
  ]);
  const headers = { prefer: 'tx=rollback' };
  expect(message({ headers }).split(';\n').slice(2)).toEqual(['rollback']);
});

const graphic = { name: "it's", code: 'A', file_url: 'https://x.test', file_format: 'png' };
const object = { accept: 'application/vnd.pgrst.object+json' };
const explained = { accept: 'application/vnd.pgrst.plan+json' };
/** An insert with an Idempotency-Key. */
const once = (headers: Record<string, string>): PartialRequest => ({
  method: 'POST',
  headers: { ...headers, 'idempotency-key': 'k' },
  fingerprint: 'f',
  body: graphic,
});

describe('a statement', () => {
  it.each<[string, string, PartialRequest]>([
    [
      'a limit on its bytes for a large column',
      'refuse_answer(',
      { of: quotes, query: 'select=customization' },
    ],
    ['a limit on its bytes for a thousand long rows', 'refuse_answer(', { query: 'select=description' }],
    ['a limit on its bytes for a cast', 'refuse_answer(', { query: 'select=code::text&limit=1' }],
    ['a limit on the bytes of a row by its key', 'within_bytes(', { query: 'select=name&id=eq.1' }],
    ['a keyset for an order that is unique', 'keyset', { query: 'select=name&order=sort_order' }],
    ['a version for a row by its key', 'xmin', { query: 'select=code&code=eq.A&id=eq.1' }],
    ['a version for a single object', 'xmin', { headers: object }],
    ['a version for one new row', 'xmin', { method: 'POST', body: graphic }],
    ['the function that runs it once', 'run_once(', once({})],
  ])('has %s', (_, text, request) => {
    expect(statement(request)).toContain(text);
  });

  it.each<[string, string, PartialRequest]>([
    ['a limit on the bytes of short rows', 'refuse_answer', { query: 'select=code,w:width&limit=5' }],
    ['an order or groups for a number alone', ' by ', { query: 'select=count()' }],
    ['a number of all rows that was not requested', 'count(*) from "builder"', {}],
    ['a keyset without an order', 'keyset', { query: 'select=name' }],
    ['a body for HEAD', 'format(', { method: 'HEAD' }],
    ['rows of a write that are not requested', 'format(', { method: 'DELETE', query: 'code=eq.A' }],
    ['the function that runs it once in an explanation', 'run_once', once(explained)],
    ['a version for a list', 'xmin', { query: 'select=code&code=eq.A' }],
    ['a version for a list of keys', 'xmin', { query: 'id=in.(1,2)&or=(id.eq.1,code.eq.A)' }],
    ['a version for another row than the one', 'xmin', { query: 'id=not.eq.1' }],
    ['a version for an aggregate', 'xmin', { query: 'select=count()&id=eq.1' }],
    ['a version for a removed row', 'xmin', { of: notifications, method: 'DELETE', query: 'id=eq.1' }],
    [
      'a version for a write that is rolled back',
      'xmin',
      { of: quotes, method: 'DELETE', query: 'id=eq.1', headers: { prefer: 'tx=rollback' } },
    ],
    [
      'an insert for a PUT with If-Match',
      'insert into',
      { method: 'PUT', query: `id=eq.${id}`, headers: { 'if-match': '*' }, body: { ...graphic, id } },
    ],
  ])('does not have %s', (_, text, request) => {
    expect(statement(request)).not.toContain(text);
  });
});

describe('text from a request', () => {
  const token = / E'(?:[^'\\]|''|\\\\)*'|'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
  /** The statement with the contents of literals and quoted identifiers removed. */
  const skeleton = (text: string) => text.replace(token, found => (found[0] === '"' ? '""' : "''"));
  const literals = (text: string) =>
    (text.match(token) ?? [])
      .filter(found => found[0] !== '"')
      .map(found =>
        found.startsWith(' E') ? found.slice(3, -1).replaceAll('\\\\', '\\') : found.slice(1, -1),
      )
      .map(inside => inside.replaceAll("''", "'"));

  const character = fc.oneof(
    fc.constantFrom(`'`, `"`, `\\`, ';', '-', '/', '*', '$', 'E', ' ', '\n', ',', '(', ')', '{', '}', ':'),
    anyText({ minLength: 1, maxLength: 1 }).filter(text => text !== '\0'),
  );
  const hostileText = fc.string({ unit: character, minLength: 1, maxLength: 15 });
  const encoded = (text: string) => encodeURIComponent(text);
  const inQuotes = (text: string) => encoded(`"${text.replace(/["\\]/g, String.raw`\$&`)}"`);

  /** Requests whose query string has the text in double quotes. */
  const queries: [string, Collection, (text: string) => string][] = [
    ['a value of a list', graphics, text => `code=in.(x,${text})`],
    ['a value of a logic tree', graphics, text => `or=(code.eq.${text},name.is.null)`],
    ['an alias', graphics, text => `select=${text}:code`],
    ['a key of JSON in a filter', quotes, text => `select=id&customization->${text}=is.null`],
    ['a key of JSON that is selected', quotes, text => `select=customization->>${text}`],
    ['a key of JSON to order by', quotes, text => `select=id&order=colors->${text}`],
  ];
  const patch = { of: quotes, method: 'PATCH', query: 'id=eq.1' } as const;

  it.each<[string, (text: string) => PartialRequest]>([
    ...queries.map(([what, of, query]): [string, (text: string) => PartialRequest] => [
      what,
      text => ({ of, query: query(inQuotes(text)) }),
    ]),
    ['the value of a filter', text => ({ query: `code=eq.${encoded(text)}` })],
    ['a pattern', text => ({ query: `code=like(any).${encoded(text)}` })],
    ['a search', text => ({ query: `code=wfts(english).${encoded(text)}` })],
    [
      'an alias of CSV',
      text => ({ query: `select=${inQuotes(text)}:code`, headers: { accept: 'text/csv' } }),
    ],
    [
      'an alias of what a write returns',
      text => ({
        method: 'DELETE',
        query: `id=eq.1&select=${inQuotes(text)}:code`,
        headers: { prefer: 'return=representation' },
      }),
    ],
    ['a body', text => ({ ...patch, body: { sport: text } })],
    ['a key inside a body', text => ({ ...patch, body: { customization: { [text]: text } } })],
    ['a body with an Idempotency-Key', text => ({ ...once({}), body: { ...graphic, name: text } })],
    ['the key of a row', text => ({ of: notifications, method: 'DELETE', query: `id=eq.${encoded(text)}` })],
    [
      'a claim',
      text => ({ as: { ...staff, claims: { role: 'authenticated', sub: text, app_metadata: {} } } }),
    ],
  ])('%s stays inside literals and quoted identifiers', (_, ask) => {
    const harmless = skeleton(message(ask('x')));
    expect(harmless).not.toMatch(/--|\/\*|\$|\\/);
    fc.assert(
      fc.property(hostileText, text => {
        expect(skeleton(message(ask(text)))).toBe(harmless);
      }),
    );
  });

  it('reaches Postgres unchanged', () => {
    fc.assert(
      fc.property(hostileText, text => {
        expect(literals(message({ query: `code=eq.${encoded(text)}` }))).toContain(text);
        const body = { sport: text };
        const written = message({ of: quotes, method: 'PATCH', query: 'id=eq.1', body });
        expect(literals(written)).toContain(JSON.stringify(body));
      }),
    );
  });

  it('stays inside the literals of a query that is itself a literal', () => {
    const inner = (text: string) => {
      const headers = { prefer: 'count=planned' };
      const found = literals(message({ query: `code=eq.${encoded(text)}`, headers }));
      return skeleton(found.find(value => value.startsWith('select from ')) ?? '');
    };
    expect(inner('x')).toBe(`select from ""."" where ""."" = '' and ""."" is null`);
    fc.assert(
      fc.property(hostileText, text => {
        expect(inner(text)).toBe(inner('x'));
      }),
    );
  });
});
