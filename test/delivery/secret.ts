import { randomBytes } from 'node:crypto';

/** A new secret of a webhook. */
export const createSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
