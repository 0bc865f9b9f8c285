/** Hashes a text with FNV-1a, to 32 bits: enough to tell a few texts apart, and spread evenly. It keeps no secret. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
