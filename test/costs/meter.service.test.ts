/** The meter measures: one that measured nothing would find every request cheap. */
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { useTarget } from './target.ts';

const target = useTarget();

it('measures the CPU and the memory of a backend, and names the request', async () => {
  const api = postgres(target.service.database.apiUrl, { max: 1, fetch_types: false });
  const { usage } = await target.watch(async () => {
    await api.unsafe(
      `/* request_id=costly */ select length(repeat('x', 60000000)), count(*) from generate_series(1, 3e6)`,
    );
    return [];
  });
  await api.end();
  expect(usage.backendSeconds).toBeGreaterThan(0.2);
  expect(usage.backendMegabytes).toBeGreaterThan(50);
  expect(usage.workingBackends).toBeGreaterThan(0);
  expect(usage.culprits.backendMegabytes).toBe('costly');
});

it('measures what the worker uses', async () => {
  const { callers } = target;
  const body = Buffer.from(`[${'{},'.repeat(300_000)}{}]`);
  const request = { method: 'POST', path: '/rest/v1/graphics', headers: callers.staff, body };
  const { usage, replies } = await target.attack(Array(20).fill(request), 4);
  expect(replies).toHaveLength(20);
  expect(usage.workerSeconds).toBeGreaterThan(0);
  expect(usage.workerMegabytes).toBeGreaterThan(0);
});

it('names the budget that was exceeded', async () => {
  const api = postgres(target.service.database.apiUrl, { max: 1, fetch_types: false });
  const { excess } = await target.watch(async () => {
    await api.unsafe(`select length(repeat('x', 150000000))`);
    return [];
  });
  await api.end();
  expect(excess).toEqual([expect.stringMatching(/^\d{3}(?:\.\d)? MB more in a backend; 100 are allowed$/)]);
});
