/** The resources that any request may use, as test/README.md promises. */
export const budget = {
  /** Seconds of CPU of a Postgres backend for one request: a statement may run for 5. */
  backendSeconds: 6,
  /** Megabytes by which a backend grows for one request. */
  backendMegabytes: 100,
  /** Megabytes of temporary files that one request of a customer makes Postgres write. */
  temporaryMegabytes: 100,
  /** Megabytes that an isolate holds after a garbage collection, more than before requests of 30 MB. */
  leftMegabytes: 5,
  /** Backends that are active at once: for the twenty messages that one caller may have in flight, and for others meanwhile. */
  workingBackends: 24,
  /** Megabytes by which workerd grows: a heap of 128 MB full of garbage, and what is in sockets. */
  workerMegabytes: 150,
  /** Seconds of CPU of workerd for one request alone: its only thread serves no other request meanwhile. */
  workerSeconds: 2,
  /** Milliseconds for a response to `/health` and to another caller's read during an attack. */
  canaryMilliseconds: 2000,
} as const;
