interface ImportMetaEnv {
  /** Where the service is. */
  readonly VITE_SERVICE: string;
  /** The publishable key. */
  readonly VITE_KEY: string;
}
