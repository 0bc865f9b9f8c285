/** Costly requests with every operator, cast, format, header and media type; the same seed makes the same requests. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Audience, Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import type { CostlyRequest } from '../costs/sender.ts';
import type { Target } from '../costs/target.ts';
import { may } from '../setup/collection-rows.ts';
import { list, present, sometimes, text, weighted } from './arbitraries.ts';
import { type CostlyBody, costlyBody } from './costly-body.ts';
import { costlyQuery, type Scope } from './costly-query.ts';
import { zone } from './costly-values.ts';
import { mediaType, preference } from './headers.ts';

/** As one of the target's callers. Writes are mostly rolled back, so that the number of rows stays about the same. */
export function costlyRequest({ callers, account }: Target): fc.Arbitrary<CostlyRequest> {
  const as = (audience: Audience, headers: Record<string, string>) =>
    weighted(
      ...collections.map((collection): [number, fc.Arbitrary<CostlyRequest>] => [
        weightOf(collection, audience),
        requestTo({ collection, audience }, account).map(request => ({
          ...request,
          headers: { ...headers, ...request.headers },
        })),
      ]),
    );
  return weighted(
    [1, as('anon', callers.anonymous)],
    [6, as('customer', callers.customer)],
    [2, as('staff', callers.staff)],
  );
}

/** Quotes have most that can cost much; of what a caller cannot read, a refusal is all there is to try. */
const weightOf = (collection: Collection, audience: Audience): number =>
  (collection.name === 'quotes' ? 5 : 1) *
  (may(collection, audience, 'select') ? 14 : 1) *
  (may(collection, 'anon', 'select') ? 2 : 1);

function requestTo(scope: Scope, account: string): fc.Arbitrary<CostlyRequest> {
  const { collection, audience } = scope;
  const costly = costlyQuery(scope);
  const key = `${collection.primaryKey}=eq.${randomUUID()}`;
  const aimed = (...queries: string[]) =>
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...queries) }, { weight: 4, arbitrary: costly });
  const some = aimed(`${collection.primaryKey}=not.is.null`, 'sport=eq.golf', key);
  const bodyOf = (isNew: boolean) => costlyBody({ ...scope, account, isNew });
  const call = (
    method: string,
    query: fc.Arbitrary<string>,
    body: fc.Arbitrary<CostlyBody | undefined> = fc.constant(undefined),
  ) =>
    fc.tuple(query, anyHeaders(/GET|HEAD/.test(method)), body).map(
      ([query, headers, its]): CostlyRequest => ({
        method,
        path: `/rest/v1/${collection.name}?${query}`,
        headers: { ...headers, ...(its && { 'content-type': its.contentType }) },
        ...(its && { body: its.body }),
      }),
    );
  const writes = may(collection, audience, 'insert') ? 10 : 1;
  const number: CostlyRequest = { method: 'POST', path: '/rest/v1/rpc/next_quote_number', headers: {} };
  return weighted(
    [50, call('GET', costly)],
    [10, call('HEAD', costly)],
    [
      3 * writes,
      call(
        'POST',
        aimed('', `on_conflict=${collection.primaryKey}`, 'columns=sport,customization'),
        bodyOf(true),
      ),
    ],
    [2 * writes, call('PATCH', some, bodyOf(false))],
    [writes, call('PUT', fc.constant(key), bodyOf(true))],
    [writes, call('DELETE', some)],
    [1, fc.constant(number)],
  );
}

const tags = Array.from({ length: 300 }, (_, n) => `"${n}-a"`).join(',');

function anyHeaders(isRead: boolean): fc.Arbitrary<Record<string, string>> {
  // The first of a repeated preference counts.
  const rollback = isRead
    ? fc.constant('')
    : weighted([95, fc.constant('tx=rollback,')], [5, fc.constant('')]);
  const timezone = fc.nat().map(n => `timezone=${zone(n)}`);
  const prefer = weighted(
    [87, text`${rollback}${list(preference, 3)}`],
    [10, text`${rollback}${timezone}`],
    [3, fc.constant('x=y,'.repeat(1500))],
  );
  const accept = weighted([93, mediaType], [7, fc.constant(`${'a/b;q=0.1,'.repeat(700)}*/*`)]);
  return fc
    .record({
      prefer,
      accept: sometimes(43, accept),
      range: sometimes(5, fc.constantFrom('0-0', '0-99999', '500-')),
      'if-none-match': sometimes(5, fc.constant(tags)),
      'idempotency-key': sometimes(5, text`k${fc.nat(49).map(String)}`),
    })
    .map(headers => present<string>(headers));
}

/** The request as one line, for reports. */
export function shown({ method, path, headers, body }: CostlyRequest): string {
  const own = ['prefer', 'accept', 'content-type', 'range'].flatMap(
    name => headers[name]?.slice(0, 80) ?? [],
  );
  const sent = body === undefined ? '' : ` ${body.length} bytes: ${String(body).slice(0, 150)}`;
  return `${method} ${path.length > 500 ? `${path.slice(0, 400)}… (${path.length})` : path} [${own.join('; ')}]${sent}`;
}
