/** What is deployed: wrangler.toml and the files that it names. */
export interface Deployment {
  /** wrangler.toml, as it is written and as it is read. */
  toml: string;
  envs: Record<string, WorkerConfig>;
  /** The text of a file in functions/, if there is such a file. */
  readEntry(file: string): string | undefined;
}

/** The parts of an env that the checks read. */
export interface WorkerConfig {
  name?: string | undefined;
  main?: string | undefined;
  routes?: (string | { pattern: string })[] | undefined;
  hyperdrive?: { binding: string; id?: string | undefined }[] | undefined;
  ratelimits?: { name: string; namespace_id: string }[] | undefined;
  vars?: Record<string, unknown> | undefined;
}
