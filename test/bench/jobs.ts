/** What is measured: each job as a list of requests, sent in turn, all of one customer. */
import type { Caller } from '../../functions/caller/caller.ts';
import { quotes } from '../../schema/quotes.ts';

export interface JobRequest {
  /** Who asks, when it is not the customer. */
  as?: Caller;
  method: 'GET' | 'POST' | 'PATCH';
  /** Below the API's root. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Job {
  name: string;
  requests: JobRequest[];
  /** The least ratio to PostgREST's throughput that we hold ourselves to. */
  goal: number;
}

/** The account of quotes 8, 108, 208 and so on up to 10,000 of the data's first batch. */
export const account = 'a0000000-0000-4000-8000-000000000007';
const ids = Array.from({ length: 100 }, (_, index) => quoteId(8 + index * 100));

function quoteId(n: number): string {
  return `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** `*` but for internal_notes: of PostgREST a customer can't ask for `*`, as its role may not read them all. */
const readable = Object.keys(quotes.columns)
  .filter(name => name !== 'internal_notes')
  .join(',');
const sixColumns = 'id,quote_number,status,sport,roster_count,created_at';

const json = { 'content-type': 'application/json' };

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

export const row: JobRequest[] = ids.map(id => ({
  method: 'GET',
  path: `/quotes?id=eq.${id}&select=${sixColumns}`,
}));

export const page: JobRequest = {
  method: 'GET',
  path: `/quotes?select=${sixColumns}&order=created_at.desc,id&limit=20`,
};

export const keysetPage: JobRequest = {
  method: 'GET',
  path: `/quotes?select=${sixColumns}&order=id&limit=20&id=gt.${ids[10]}`,
};

export const insert: JobRequest = {
  method: 'POST',
  path: '/quotes?select=id,status,created_at',
  headers: { ...json, prefer: 'return=representation' },
  body: newQuote,
};

export const update: JobRequest[] = ids.map((id, index) => ({
  method: 'PATCH',
  path: `/quotes?id=eq.${id}`,
  headers: json,
  body: JSON.stringify({ company: `Lions ${index}` }),
}));

export const jobs: Job[] = [
  {
    name: 'a quote by id, every column',
    goal: 1,
    requests: ids.map(id => ({ method: 'GET', path: `/quotes?id=eq.${id}&select=${readable}` })),
  },
  { name: 'a quote by id, six columns', goal: 1, requests: row },
  { name: 'a page of 20 quotes, six columns', goal: 1.3, requests: [page] },
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
  { name: 'an update', goal: 1.3, requests: update },
  { name: 'an insert with representation', goal: 1.3, requests: [insert] },
];
