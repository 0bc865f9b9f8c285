/** The jobs of the scheduled sweep, in this order. Each is a function of the schema `builder` in sql/. */
export interface SweepJob {
  /** Takes the maximum size of a batch, and returns the number of rows it swept. Only builder_sweeper may execute it. */
  function: string;
  /** The log field with the number of rows. */
  logged: string;
  /**
   * For a job whose rows may fail or take long because of their content: `function` also takes the accounts to leave out, `due`
   * lists the rows that are due, of some accounts or of all others, and `one` sweeps a single row.
   */
  byRow?: { due: string; one: string };
}

export const sweepJobs: readonly SweepJob[] = [
  {
    function: 'expire_quotes',
    logged: 'expired',
    byRow: { due: 'due_quotes', one: 'expire_quote' },
  },
  { function: 'announce_expiring_quotes', logged: 'announced' },
  { function: 'prune_notifications', logged: 'notifications_pruned' },
  { function: 'prune_idempotency_keys', logged: 'keys_pruned' },
  { function: 'prune_deliveries', logged: 'deliveries_pruned' },
  { function: 'remove_deleted', logged: 'removed' },
  { function: 'remove_old_quotes', logged: 'old_removed' },
  { function: 'prune_changes', logged: 'changes_pruned' },
];
