/** The latest reading of the clock, and how far it has been set back since the isolate started. */
let latest = 0;
let setBackBy = 0;

/**
 * Returns milliseconds that never decrease, to measure time within an isolate. The clock of a machine can be set back, and
 * `performance.now()` of workerd with it: what waits for a time would then wait for as long.
 */
export function monotonicNow(): number {
  const now = Date.now();
  setBackBy += Math.max(0, latest - now);
  latest = now;
  return now + setBackBy;
}
