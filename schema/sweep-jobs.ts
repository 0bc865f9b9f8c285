/** What the scheduled sweep does, in this order. Each job is a function of the schema `builder`, in sql/. */
export interface SweepJob {
  /** For people, before the number of rows: "quotes expired 3". */
  name: string;
  /** Takes how many rows a batch may have, and returns how many it had. Only builder_sweeper may execute it. */
  function: string;
  /** The field of the log line that has the number of rows. */
  logged: string;
}

export const sweepJobs: readonly SweepJob[] = [
  { name: 'quotes expired', function: 'expire_quotes', logged: 'expired' },
  { name: 'notifications pruned', function: 'prune_notifications', logged: 'pruned' },
  { name: 'keys forgotten', function: 'prune_idempotency_keys', logged: 'keys_forgotten' },
];
