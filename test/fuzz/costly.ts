/** Requests that are made to cost much, by every operator, cast, format, header and media type; the same seed makes the same. */
import { randomUUID } from 'node:crypto';
import { collections } from '../../schema/collections.ts';
import type { CostlyRequest } from '../costs/sender.ts';
import type { Target } from '../costs/target.ts';
import type { Chance } from './chance.ts';
import { costlyBody } from './costly-body.ts';
import { costlyQuery } from './costly-query.ts';
import { times } from './costly-values.ts';

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

/** As one of the target's callers. What it writes is undone, mostly, so that the last has as many rows as the first. */
export function costlyRequest({ callers, account }: Target, chance: Chance): CostlyRequest {
  const collection = chance.weighted(
    [7, () => collections[0]],
    [2, () => collections[1]],
    [1, () => collections[2]],
  ) as (typeof collections)[number];
  const caller = chance.weighted(
    [1, () => callers.anonymous],
    [6, () => callers.customer],
    [2, () => callers.staff],
  );
  const method = chance.pick([
    'GET',
    'GET',
    'GET',
    'GET',
    'GET',
    'HEAD',
    'POST',
    'POST',
    'PATCH',
    'PATCH',
    'PUT',
    'DELETE',
  ]);
  const headers = { ...caller, ...anyHeaders(method, chance) };
  if (chance.percent(1)) {
    return { method: 'POST', path: '/rest/v1/rpc/next_quote_number', headers };
  }
  const query =
    /GET|HEAD/.test(method) || chance.percent(40)
      ? costlyQuery(collection, chance)
      : writeQuery(collection.primaryKey, chance);
  const path = `/rest/v1/${collection.name}?${query}`;
  if (!/POST|PATCH|PUT/.test(method)) {
    return { method, path, headers };
  }
  const { contentType, body } = costlyBody(collection, account, method !== 'PATCH', chance);
  return { method, path, headers: { ...headers, 'content-type': contentType }, body };
}

const writeQuery = (primaryKey: string, chance: Chance): string =>
  chance.pick([
    '',
    `${primaryKey}=not.is.null`,
    `${primaryKey}=eq.${randomUUID()}`,
    `on_conflict=${primaryKey}`,
    'sport=eq.golf',
    'columns=sport,customization',
  ]);

function anyHeaders(method: string, chance: Chance): Record<string, string> {
  const preferred = chance.several(0, 3, () => chance.pick(preferences));
  if (chance.percent(10)) {
    preferred.push(`timezone=${chance.pick(times)(10, chance).split(/[ +]/).at(-1)}`);
  }
  // Of a preference given twice the first counts.
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

/** As a line to find it again by. */
export function shown({ method, path, headers, body }: CostlyRequest): string {
  const own = ['prefer', 'accept', 'content-type', 'range'].flatMap(
    name => headers[name]?.slice(0, 80) ?? [],
  );
  const sent = body === undefined ? '' : ` ${body.length} bytes: ${String(body).slice(0, 150)}`;
  return `${method} ${path.length > 500 ? `${path.slice(0, 400)}… (${path.length})` : path} [${own.join('; ')}]${sent}`;
}
