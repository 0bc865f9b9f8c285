import type { Collection } from './collection.ts';
import { graphics } from './graphics.ts';
import { notifications } from './notifications.ts';
import { quotes } from './quotes.ts';

/** All that this service serves. */
export const collections: readonly Collection[] = [quotes, graphics, notifications];
