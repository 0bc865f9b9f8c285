/**
 * The request headers that the body or the status of a response depends on, besides the caller's. The response cache, the
 * fingerprint of a retried write and the `Vary` header all read these lists.
 */
export const varyingHeaders = {
  read: ['Accept', 'Accept-Profile', 'Prefer', 'Range'],
  write: ['Accept', 'Content-Profile', 'Content-Type', 'Prefer'],
} as const;
