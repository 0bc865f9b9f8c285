/** What is deployed: wrangler.toml and the files that it names. */
export interface Deployment {
  /** wrangler.toml, as it is written and as it is read. */
  toml: string;
  config: { env: Record<string, WorkerConfig> };
  /** The text of a file in functions/, if there is such a file. */
  readEntry(file: string): string | undefined;
}

/** The parts of an env that are checked, or that each environment has of its own. */
export interface WorkerConfig {
  name?: string | undefined;
  main?: string | undefined;
  routes?: { pattern: string; zone_name: string }[];
  vars?: Record<string, unknown> | undefined;
  hyperdrive?: { binding: string; id?: string | undefined }[] | undefined;
  ratelimits?: { name: string; namespace_id: string }[] | undefined;
  durable_objects?: { bindings: { name: string; class_name: string; script_name?: string }[] } | undefined;
  assets?: { directory: string } | undefined;
}
