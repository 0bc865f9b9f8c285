/** What is measured: each job as a list of requests, sent in turn. */
import type { Request } from 'autocannon';
import { quotes } from '../../schema/quotes.ts';

export interface Job {
  name: string;
  /** Paths below the API's root. */
  requests: Request[];
  /** The least ratio to PostgREST's throughput that we hold ourselves to. */
  goal: number;
}

/** Every request is of one customer; a quote n belongs to account n % 1000. */
export const account = 'a0000000-0000-4000-8000-000000000007';
const ids = Array.from({ length: 100 }, (_, index) => quoteId(7 + index * 1000));

function quoteId(n: number): string {
  return `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** `*` but for internal_notes: of PostgREST a customer can't ask for `*`, as its role may not read them all. */
const readable = Object.keys(quotes.columns)
  .filter(name => name !== 'internal_notes')
  .join(',');

const json = { 'content-type': 'application/json' };
const representation = { ...json, prefer: 'return=representation' };

const newQuote = JSON.stringify({
  account_id: account,
  quote_number: 'QT-2026-00001',
  product_id: quoteId(1),
  sport: 'baseball',
  customization: {
    team: 'Lions',
    players: Array.from({ length: 16 }, (_, number) => ({ name: `Player ${number}`, number, size: 'M' })),
  },
});

export const jobs: Job[] = [
  {
    name: 'a quote by id',
    goal: 1,
    requests: ids.map(id => ({ method: 'GET', path: `/quotes?id=eq.${id}&select=${readable}` })),
  },
  {
    name: 'a page of 20 quotes, six columns',
    goal: 1.3,
    requests: [
      {
        method: 'GET',
        path: '/quotes?select=id,quote_number,status,sport,roster_count,created_at&order=created_at.desc,id&limit=20',
      },
    ],
  },
  {
    name: 'the graphics library',
    goal: 3,
    requests: [
      { method: 'GET', path: '/graphics?select=id,name,code,file_url,tags&order=sort_order,id&limit=50' },
    ],
  },
  {
    name: 'the count of quotes',
    goal: 1,
    requests: [{ method: 'GET', path: '/quotes?select=id&limit=1', headers: { prefer: 'count=exact' } }],
  },
  {
    name: 'an update',
    goal: 1.3,
    requests: ids.map((id, index) => ({
      method: 'PATCH',
      path: `/quotes?id=eq.${id}`,
      headers: json,
      body: JSON.stringify({ company: `Lions ${index}` }),
    })),
  },
  {
    name: 'an insert with representation',
    goal: 1.3,
    requests: [
      {
        method: 'POST',
        path: '/quotes?select=id,status,created_at',
        headers: representation,
        body: newQuote,
      },
    ],
  },
];
