/** What a request may use at most, whatever it asks for: the promise of functions/common/README.md, as numbers. */
export const budget = {
  /** Seconds of CPU of one Postgres backend for one request: a statement may run for 5. */
  backendSeconds: 6,
  /** Megabytes that one backend grows by for one request. */
  backendMegabytes: 100,
  /** Megabytes that one backend grows by for good, over hundreds of requests that each bring a new spelling. */
  keptMegabytes: 5,
  /** Megabytes of answers that the database keeps for one caller's Idempotency-Keys. */
  idempotencyMegabytes: 5,
  /** Backends that work at once: the pool's ten, and those that are just being cancelled. */
  workingBackends: 12,
  /** Megabytes that workerd grows by, for one request or for many at once. */
  workerMegabytes: 100,
  /** Seconds of CPU of workerd for one request that is sent alone: its one thread serves nobody else meanwhile. */
  workerSeconds: 2,
  /** Milliseconds within which `/health` and another caller's read answer meanwhile. */
  canaryMilliseconds: 2000,
} as const;
