/** What to send to approve and to price, and what comes back. `npm test -- test/sql/prices/table -u` writes sql/PRICES.md. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Caller, type Reply, representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

type Row = Reply['body'];
type Step = [who: 'customer' | 'staff', values: object];

const price = { unit_price: 4, total_price: 48 };
const offer: Step = ['staff', { status: 'quoted', ...price }];
const submit: Step = ['customer', { status: 'submitted' }];
const redesign: Step = ['customer', { status: 'draft', roster_count: 500 }];

/** What happened to a quote: before it was read for the first time, and between that and the second reading. */
interface History {
  title: string;
  before: Step[];
  since: Step[];
}

interface Table {
  title: string;
  histories: History[];
  /** Who decides, and what it writes. */
  deed: Step;
  /** What it also sends of what it has read. */
  names: string[][];
}

const tables: Table[] = [
  {
    title: 'To approve',
    deed: ['customer', { status: 'approved' }],
    names: [[], ['total_price'], ['quoted_at'], ['updated_at']],
    histories: [
      { title: 'one offer', before: [submit, offer], since: [] },
      {
        title: 'an offer of another total since',
        before: [submit, offer],
        since: [['staff', { total_price: 60 }]],
      },
      {
        title: 'an offer of the same total since',
        before: [submit, offer],
        since: [['staff', { roster_count: 3 }]],
      },
      {
        title: 'a first total that is offered again',
        before: [submit, offer],
        since: [
          ['staff', { total_price: 60 }],
          ['staff', { total_price: 48 }],
        ],
      },
      {
        title: 'approved at another total since',
        before: [submit, offer],
        since: [
          ['customer', { status: 'approved' }],
          ['staff', { status: 'quoted', total_price: 60 }],
        ],
      },
      { title: 'asked again since', before: [submit, offer], since: [submit] },
    ],
  },
  {
    title: 'To price',
    deed: ['staff', { status: 'quoted', ...price }],
    names: [[], ['updated_at'], ['submitted_at'], ['updated_at', 'submitted_at']],
    histories: [
      { title: 'submitted', before: [submit], since: [] },
      {
        title: 'another phone number since',
        before: [submit],
        since: [['customer', { contact_phone: '2' }]],
      },
      {
        title: 'submitted again unchanged since',
        before: [submit],
        since: [['customer', { status: 'draft' }], submit],
      },
      { title: 'submitted with another design since', before: [submit], since: [redesign, submit] },
      { title: 'approved since', before: [submit, offer], since: [['customer', { status: 'approved' }]] },
      { title: 'a draft', before: [], since: [] },
    ],
  },
];

const callers = (who: Step[0]): Caller => (who === 'staff' ? staff : customer);
const patch = (who: Step[0], id: string, values: object, select = ''): Promise<Reply> =>
  callers(who).send('PATCH', `/quotes?id=eq.${id}${select}`, values, select ? representation : {});
const read = async (id: string): Promise<Row> => (await staff.get(`/quotes?id=eq.${id}`)).body[0];

async function happen(id: string, steps: Step[]): Promise<void> {
  for (const [who, values] of steps) {
    const { updated_at, submitted_at, quoted_at } = await read(id);
    const names = who === 'staff' ? { updated_at, submitted_at } : { quoted_at };
    expect(await patch(who, id, { ...names, ...values })).toMatchObject({ status: 204 });
  }
}

/** What is known of a quote when it is decided. */
const readings: Record<string, (who: Step[0], id: string, first: Row) => Promise<Row>> = {
  'as it is now': async (_, id) => read(id),
  'before that': async (_who, _id, first) => first,
  // A note is saved, and its response shows only the new version.
  'before that, and then the version alone': async (who, id, first) => {
    const note = who === 'staff' ? { internal_notes: 'n' } : { customer_notes: 'n' };
    const [{ updated_at }] = (await patch(who, id, note, '&select=updated_at')).body;
    return { ...first, updated_at };
  },
};

/** Returns what comes back, in a few words. */
function answerOf({ status, body }: Reply): string {
  if (status === 204) {
    return 'written';
  }
  expect([status, body.code]).toEqual([409, 'PT409']);
  if (body.hint === null) {
    return '409 move';
  }
  const [, update = ''] = /\.update\(\{ (.*?) \}\)/.exec(body.hint) ?? [];
  const isPriced = update.includes('unit_price');
  const names = update.split(', ').filter(name => /_at$/.test(name) || (name === 'total_price' && !isPriced));
  return body.message.includes('nothing was written') ? '409 changed' : `409 send ${names.join(', ')}`;
}

async function rowOf(
  { deed: [who, values], names }: Table,
  { before, since }: History,
  reading: string,
): Promise<string[]> {
  const cells: string[] = [];
  for (const sent of [...names, undefined]) {
    const { body } = await customer.send(
      'POST',
      '/quotes?select=id',
      aQuote(account, { roster_count: 5 }),
      representation,
    );
    const { id } = body[0];
    await happen(id, before);
    const first = await read(id);
    await happen(id, since);
    const known = await readings[reading]?.(who, id, first);
    const { internal_notes: _, ...whole } = known;
    const more = sent === undefined ? whole : Object.fromEntries(sent.map(name => [name, known[name]]));
    cells.push(answerOf(await patch(who, id, { ...more, ...values })));
  }
  return cells;
}

async function linesOf(table: Table): Promise<string> {
  const heads = table.names.map(names => names.map(name => `\`${name}\``).join(', ') || 'nothing');
  const lines = [
    ['so far', 'what was read', ...heads, 'the whole row'],
    Array(table.names.length + 3).fill('---'),
  ];
  for (const history of table.histories) {
    for (const reading of Object.keys(readings)) {
      if (history.since.length > 0 || reading === 'as it is now') {
        lines.push([history.title, reading, ...(await rowOf(table, history, reading))]);
      }
    }
  }
  return `\n## ${table.title}\n\n${lines.map(cells => `| ${cells.join(' | ')} |\n`).join('')}`;
}

it('each approval and each price is answered as sql/PRICES.md says', async () => {
  const parts: string[] = [];
  for (const table of tables) {
    parts.push(await linesOf(table));
  }
  const page = `# What to send, and what comes back

For developers of an application: what does a body have besides its change, and is it written? A test writes this page. A column is what is
sent of what was read. *409 send* is refused until the request has these columns, *409 changed* since what it has is another one now,
and *409 move* as there is no such move from here. The \`hint\` has the whole update. The rules are numbered in \`code/quote-*.sql\`.
${parts.join('')}`;
  await expect(page).toMatchFileSnapshot('../../../sql/PRICES.md');
});
