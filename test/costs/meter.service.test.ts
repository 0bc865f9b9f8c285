/**
 * The meter measures: one that measured nothing would find every request cheap.
 *
 * @module-tag full
 */
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { useTarget } from './target.ts';

const target = useTarget();

/** Runs a statement as a request would, while it is measured. */
async function measure(statement: string) {
  const api = postgres(target.service.database.apiUrl, { max: 1, fetch_types: false });
  const outcome = await target.watch(async () => {
    await api.unsafe(statement);
    return [];
  });
  await api.end();
  return outcome;
}

it('the meter measures the CPU and the memory of a backend, and names the request', async () => {
  const { usage } = await measure(
    `/* request_id=costly */ select length(repeat('x', 60000000)), count(*) from generate_series(1, 3e6)`,
  );
  expect(usage.backendSeconds).toBeGreaterThan(0.2);
  expect(usage.backendMegabytes).toBeGreaterThan(50);
  expect(usage.workingBackends).toBeGreaterThan(0);
  expect(usage.culprits.backendMegabytes).toBe('costly');
});

it('the meter names the budget that was exceeded', async () => {
  const { excess } = await measure(`select length(repeat('x', 150000000))`);
  expect(excess).toEqual([expect.stringMatching(/^\d{3}(?:\.\d)? MB more in a backend; 100 are allowed$/)]);
});
