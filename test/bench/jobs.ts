/** What is measured: each job as the requests of one customer, sent in turn. */

export interface JobRequest {
  /** Who asks: the number of a customer, or of one of the staff. */
  customer: number;
  asStaff?: true;
  method: 'GET' | 'POST' | 'PATCH';
  /** Below the API's root. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Job {
  /** What it is, and behind a comma what of it. */
  name: string;
  requestsOf(customer: number): JobRequest[];
  /** The workers of Cloudflare's documentation answer it too. */
  isDocumented?: true;
}

/** So many customers ask, each with an access token and a hundred quotes. */
export const customers = 16;

/** The account of a customer: that of quotes 8, 1008, 2008 and so on is the first's. */
export const accountOf = (customer: number): string => `a0000000-0000-4000-8000-${digits(customer + 7)}`;

const quoteOf = (customer: number, index: number): string => quoteId(8 + customer + index * 1000);
const quoteId = (n: number): string => `10000000-0000-4000-8000-${digits(n)}`;
const digits = (n: number): string => String(n).padStart(12, '0');

/** The requests of so many customers, in turn; each sends its own in their order. */
export function interleaved({ requestsOf }: Pick<Job, 'requestsOf'>, customers: number): JobRequest[] {
  const each = Array.from({ length: customers }, (_, customer) => requestsOf(customer));
  return (each[0] ?? []).flatMap((_, index) => each.flatMap(requests => requests[index] ?? []));
}

const sixColumns = 'id,quote_number,status,sport,roster_count,created_at';
const json = { 'content-type': 'application/json' };

const ofEachQuote =
  (requestOf: (id: string, index: number) => Omit<JobRequest, 'customer'>) =>
  (customer: number): JobRequest[] =>
    Array.from({ length: 100 }, (_, index) => ({ customer, ...requestOf(quoteOf(customer, index), index) }));

const page = (customer: number): JobRequest => ({
  customer,
  method: 'GET',
  path: `/quotes?select=${sixColumns}&order=created_at.desc,id&limit=20`,
});

const insert = (customer: number): JobRequest => ({
  customer,
  method: 'POST',
  path: '/quotes?select=id,status,created_at',
  headers: { ...json, prefer: 'return=representation' },
  body: JSON.stringify({
    account_id: accountOf(customer),
    quote_number: 'QT-2026-00001',
    product_id: quoteId(1),
    sport: 'baseball',
    customization: {
      team: 'Lions',
      players: Array.from({ length: 16 }, (_, number) => ({ name: `Player ${number}`, number, size: 'M' })),
    },
  }),
});

export const jobs: Job[] = [
  {
    name: 'a quote by id, six columns',
    isDocumented: true,
    requestsOf: ofEachQuote(id => ({ method: 'GET', path: `/quotes?id=eq.${id}&select=${sixColumns}` })),
  },
  {
    // As whoever writes no `select` asks. A customer can't of PostgREST: its role may not read `internal_notes`, and
    // PostgREST 12 takes five times as long over a `select` that names all others.
    name: 'a quote by id, every column, as staff',
    requestsOf: ofEachQuote(id => ({ asStaff: true, method: 'GET', path: `/quotes?id=eq.${id}` })),
  },
  { name: 'a page of 20 quotes, six columns', isDocumented: true, requestsOf: customer => [page(customer)] },
  {
    name: 'the graphics library',
    requestsOf: customer => [
      {
        customer,
        method: 'GET',
        path: '/graphics?select=id,name,code,file_url,tags&order=sort_order,id&limit=50',
      },
    ],
  },
  {
    name: 'the count of quotes',
    requestsOf: customer => [
      { customer, method: 'GET', path: '/quotes?select=id&limit=1', headers: { prefer: 'count=exact' } },
    ],
  },
  {
    name: 'an update',
    isDocumented: true,
    requestsOf: ofEachQuote((id, index) => ({
      method: 'PATCH',
      path: `/quotes?id=eq.${id}`,
      headers: json,
      body: JSON.stringify({ company: `Lions ${index}` }),
    })),
  },
  { name: 'an insert, with representation', isDocumented: true, requestsOf: customer => [insert(customer)] },
];
