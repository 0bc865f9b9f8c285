import { afterEach, expect, it, vi } from 'vitest';
import { Report } from '../../functions/live/live-report.ts';

afterEach(() => vi.useRealTimers());

it('an object that holds sockets has a line for the log once a minute: its number, and why pages must read again', () => {
  vi.useFakeTimers();
  const report = new Report();
  report.number = 2;
  report.begin();
  report.count('missed', 'gap');
  expect(report.line({ sockets: 1 })).toBeUndefined();
  vi.advanceTimersByTime(60_000);
  const line = { event: 'live', object: 2, sockets: 1, sent: 0, missed: 1, missed_because: 'gap 1' };
  expect(report.line({ sockets: 1 })).toMatchObject(line);
  expect(report.line({ sockets: 1 })).toBeUndefined();
});
