/** Costly requests with every operator, cast, format, header and media type; the same seed makes the same requests. */
import { randomUUID } from 'node:crypto';
import type { Audience, Collection } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import type { CostlyRequest } from '../costs/sender.ts';
import type { Target } from '../costs/target.ts';
import { may } from '../setup/collection-rows.ts';
import type { Chance } from './chance.ts';
import { costlyBody } from './costly-body.ts';
import { costlyQuery } from './costly-query.ts';
import { zone } from './costly-values.ts';

const methods = [
  ...Array<string>(5).fill('GET'),
  'HEAD',
  ...Array<string>(3).fill('POST'),
  'PATCH',
  'PATCH',
  'PUT',
  'DELETE',
];

const mediaTypes = [
  'application/json',
  'text/csv',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json;nulls=stripped',
  'application/vnd.pgrst.plan+json; options=analyze|verbose|buffers',
];
const preferences = [
  'return=representation',
  'return=representation',
  'return=headers-only',
  'count=exact',
  'count=planned',
  'count=estimated',
  'missing=default',
  'resolution=merge-duplicates',
  'resolution=ignore-duplicates',
  'handling=strict',
  'max-affected=1',
];

/** As one of the target's callers. Writes are mostly rolled back, so that the number of rows stays about the same. */
export function costlyRequest({ callers, account }: Target, chance: Chance): CostlyRequest {
  const audience = chance.weighted<Audience>([1, () => 'anon'], [6, () => 'customer'], [2, () => 'staff']);
  const collection = chance.weighted(
    ...collections.map((one): [number, () => Collection] => [weightOf(one, audience), () => one]),
  );
  const asked = { collection, audience };
  const caller = { anon: callers.anonymous, customer: callers.customer, staff: callers.staff }[audience];
  const isReader = !may(collection, audience, 'insert');
  const method = chance.pick(isReader && chance.percent(90) ? ['GET', 'HEAD'] : methods);
  const headers = { ...caller, ...anyHeaders(method, chance) };
  if (chance.percent(1)) {
    return { method: 'POST', path: '/rest/v1/rpc/next_quote_number', headers };
  }
  const query =
    method === 'PUT' || (/POST|PATCH|DELETE/.test(method) && chance.percent(60))
      ? writeQuery(method, collection.primaryKey, chance)
      : costlyQuery(asked, chance);
  const path = `/rest/v1/${collection.name}?${query}`;
  if (!/POST|PATCH|PUT/.test(method)) {
    return { method, path, headers };
  }
  const { contentType, body } = costlyBody(asked, account, method !== 'PATCH', chance);
  return { method, path, headers: { ...headers, 'content-type': contentType }, body };
}

/** Quotes have most that can cost much; of what a caller cannot read, a refusal is all there is to try. */
function weightOf(collection: Collection, audience: Audience): number {
  const isQuotes = collection.name === 'quotes';
  if (!may(collection, audience, 'select')) {
    return isQuotes ? 0.5 : 0.1;
  }
  return isQuotes ? 7 : may(collection, 'anon', 'select') ? 2 : 1;
}

function writeQuery(method: string, primaryKey: string, chance: Chance): string {
  if (method === 'POST') {
    return chance.pick(['', `on_conflict=${primaryKey}`, 'columns=sport,customization']);
  }
  const key = `${primaryKey}=eq.${randomUUID()}`;
  return method === 'PUT' ? key : chance.pick([`${primaryKey}=not.is.null`, 'sport=eq.golf', key]);
}

function anyHeaders(method: string, chance: Chance): Record<string, string> {
  const preferred = chance.several(0, 3, () => chance.pick(preferences));
  if (chance.percent(10)) {
    preferred.push(`timezone=${zone(chance)}`);
  }
  // The first of a repeated preference counts.
  const prefer = /GET|HEAD/.test(method) || chance.percent(5) ? preferred : ['tx=rollback', ...preferred];
  return {
    ...(prefer.length > 0 && { prefer: prefer.join(',') }),
    ...(chance.percent(40) && { accept: chance.pick(mediaTypes) }),
    ...(chance.percent(5) && { range: chance.pick(['0-0', '0-99999', '500-']) }),
    ...(chance.percent(5) && {
      'if-none-match': Array.from({ length: 300 }, (_, n) => `"${n}-a"`).join(','),
    }),
    ...(chance.percent(5) && { 'idempotency-key': `k${chance.below(50)}` }),
    ...(chance.percent(3) && { accept: `${'a/b;q=0.1,'.repeat(700)}*/*` }),
    ...(chance.percent(3) && { prefer: 'x=y,'.repeat(1500) }),
  };
}

/** The request as one line, for reports. */
export function shown({ method, path, headers, body }: CostlyRequest): string {
  const own = ['prefer', 'accept', 'content-type', 'range'].flatMap(
    name => headers[name]?.slice(0, 80) ?? [],
  );
  const sent = body === undefined ? '' : ` ${body.length} bytes: ${String(body).slice(0, 150)}`;
  return `${method} ${path.length > 500 ? `${path.slice(0, 400)}… (${path.length})` : path} [${own.join('; ')}]${sent}`;
}
