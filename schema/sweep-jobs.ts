/** The jobs of the scheduled sweep, in this order. Each is a function of the schema `builder` in sql/. */
export interface SweepJob {
  /** Takes the maximum size of a batch, and returns the number of rows it swept. Only builder_sweeper may execute it. */
  function: string;
  /** The log field with the number of rows. */
  logged: string;
  /** Rows of one statement, which holds its locks until all are done: few where a row takes long, as one with messages. */
  batch: number;
  /** `function` also takes the ids that failed before, skips rows that fail, and returns their ids. */
  skipsFailed?: true;
}

export const sweepJobs: readonly SweepJob[] = [
  { function: 'expire_quotes', batch: 20, logged: 'expired', skipsFailed: true },
  { function: 'announce_expiring_quotes', batch: 100, logged: 'announced' },
  { function: 'prune_notifications', batch: 500, logged: 'notifications_pruned' },
  { function: 'prune_idempotency_keys', batch: 500, logged: 'keys_pruned' },
  { function: 'prune_deliveries', batch: 500, logged: 'deliveries_pruned' },
  { function: 'prune_quote_links', batch: 500, logged: 'links_pruned' },
  { function: 'remove_deleted', batch: 100, logged: 'removed' },
  { function: 'remove_old_quotes', batch: 100, logged: 'old_removed' },
  { function: 'prune_changes', batch: 500, logged: 'changes_pruned' },
];
