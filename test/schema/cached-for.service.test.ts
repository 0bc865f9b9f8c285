/** Cached responses are shared by audiences that may read exactly the same. */
import { expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { useDatabase } from '../setup/database.ts';

const database = useDatabase();

const cached = collections.flatMap(({ name, cachedFor = [], columns }) =>
  cachedFor.slice(1).map(other => ({ name, columns, one: cachedFor[0] ?? other, other })),
);

it('some collection is cached for several audiences', () => {
  expect(cached.map(({ name }) => name)).toEqual(['graphics']);
});

it.each(cached)('$one and $other read the same columns of $name, by the same policies', async ({
  name,
  columns,
  one,
  other,
}) => {
  for (const [column, { privileges }] of Object.entries(columns)) {
    const [reads, alsoReads] = [one, other].map(audience => privileges[audience].includes('select'));
    expect([column, reads]).toEqual([column, alsoReads]);
  }
  const policiesOf = (role: string) => database.sql`
    select policyname from pg_policies
    where schemaname = 'builder' and tablename = ${name} and cmd in ('SELECT', 'ALL')
      and roles && array[${role}, 'public']::name[] order by 1`;
  const policies = await policiesOf(`builder_${one}`);
  expect(policies.length).toBeGreaterThan(0);
  expect([...policies]).toEqual([...(await policiesOf(`builder_${other}`))]);
});
