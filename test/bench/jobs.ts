/** What is measured: each job as a list of requests, sent in turn, of one customer or of the staff. */
import type { Caller } from '../../functions/caller/caller.ts';

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
  /** What it is, and behind a comma what of it. */
  name: string;
  requests: JobRequest[];
  /** The least ratio to PostgREST's throughput that we hold ourselves to. */
  goal: number;
}

/** The account of quotes 8, 1008, 2008 and so on. */
export const account = 'a0000000-0000-4000-8000-000000000007';
const ids = Array.from({ length: 100 }, (_, index) => quoteId(8 + index * 1000));

function quoteId(n: number): string {
  return `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/**
 * They ask for every column, as whoever writes no `select` does. Of PostgREST a customer can't: its role may not read
 * `internal_notes`, and PostgREST 12 takes five times as long over a `select` that names all others.
 */
const staff: Caller = {
  kind: 'staff',
  audience: 'staff',
  claims: { role: 'authenticated', sub: account, app_metadata: { account_ids: [], role: 'admin' } },
};
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

const row: JobRequest[] = ids.map(id => ({
  method: 'GET',
  path: `/quotes?id=eq.${id}&select=${sixColumns}`,
}));

export const page: JobRequest = {
  method: 'GET',
  path: `/quotes?select=${sixColumns}&order=created_at.desc,id&limit=20`,
};

export const insert: JobRequest = {
  method: 'POST',
  path: '/quotes?select=id,status,created_at',
  headers: { ...json, prefer: 'return=representation' },
  body: newQuote,
};

const update: JobRequest[] = ids.map((id, index) => ({
  method: 'PATCH',
  path: `/quotes?id=eq.${id}`,
  headers: json,
  body: JSON.stringify({ company: `Lions ${index}` }),
}));

export const jobs: Job[] = [
  { name: 'a quote by id, six columns', goal: 1.5, requests: row },
  {
    name: 'a quote by id, every column, as staff',

    goal: 1.5,
    requests: ids.map(id => ({ as: staff, method: 'GET', path: `/quotes?id=eq.${id}` })),
  },
  { name: 'a page of 20 quotes, six columns', goal: 1.5, requests: [page] },
  {
    name: 'the graphics library',

    goal: 4,
    requests: [
      { method: 'GET', path: '/graphics?select=id,name,code,file_url,tags&order=sort_order,id&limit=50' },
    ],
  },
  {
    name: 'the count of quotes',

    goal: 1.2,
    requests: [{ method: 'GET', path: '/quotes?select=id&limit=1', headers: { prefer: 'count=exact' } }],
  },
  { name: 'an update', goal: 1.5, requests: update },
  { name: 'an insert, with representation', goal: 1.5, requests: [insert] },
];
